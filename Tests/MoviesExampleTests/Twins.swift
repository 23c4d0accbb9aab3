/// Made-up answers in the shapes that TMDB has been seen to give.
enum Twins {
    /// A row with everything null or empty, one with everything, and one with the newer keys.
    static let page = """
        {"page": 1, "total_pages": 58321, "total_results": 1166420, "results": [
         {"adult": false, "backdrop_path": null, "genre_ids": [], "id": 1, "original_language": "en", "original_title": "Bare",
          "overview": "", "popularity": 0, "poster_path": null, "release_date": "", "title": "Bare", "video": false,
          "vote_average": 0, "vote_count": 0, "softcore": false},
         {"adult": false, "backdrop_path": "/b.jpg", "genre_ids": [18, 80], "id": 2, "original_language": "ja",
          "original_title": "夜の観測所", "overview": "Stars.", "popularity": 12.5, "poster_path": "/p.jpg",
          "release_date": "2001-05-01", "title": "The Observatory of Night", "video": false, "vote_average": 8.7, "vote_count": 25411}]}
        """

    static let details = """
        {"adult": false, "backdrop_path": "/b.jpg", "belongs_to_collection": null, "budget": 0, "genres": [{"id": 18, "name": "Drama"},
         {"id": 35, "name": "Comedy"}], "homepage": "", "id": 2, "imdb_id": null, "origin_country": ["JP"], "original_language": "ja",
         "original_title": "夜の観測所", "overview": "Stars.", "popularity": 12.5, "poster_path": "/p.jpg",
         "production_companies": [{"id": 1, "logo_path": null, "name": "Nobody", "origin_country": ""}], "release_date": "2001-05-01",
         "revenue": 0, "runtime": 139, "spoken_languages": [{"english_name": "Japanese", "iso_639_1": "ja", "name": "日本語"}],
         "status": "Released", "tagline": "Look up.", "title": "The Observatory of Night", "video": false, "vote_average": 8.7,
         "vote_count": 25411}
        """

    static let bareDetails = """
        {"adult": false, "backdrop_path": null, "genres": [], "homepage": "", "id": 1, "imdb_id": null, "original_title": "Bare",
         "overview": "", "poster_path": null, "release_date": "", "runtime": 0, "tagline": "", "title": "Bare", "vote_average": 0,
         "vote_count": 0}
        """

    static let credits = """
        {"id": 2, "cast": [{"id": 11, "name": "Hana Abernox", "character": "A Voice", "order": 1, "profile_path": null, "gender": 0},
         {"id": 10, "name": "Ivo Tamarisk", "character": "", "order": 0, "profile_path": "/i.jpg"}],
         "crew": [{"id": 12, "name": "Fen Oakmoor", "job": "Director", "department": "Directing", "profile_path": null},
         {"id": 13, "name": "Ada Oakmoor", "job": "Editor", "department": "Editing", "profile_path": null}]}
        """

    static let configuration = """
        {"change_keys": ["images"], "images": {"base_url": "http://i.example/t/p/", "secure_base_url": "https://i.example/t/p/",
         "backdrop_sizes": ["w300", "w780", "w1280", "original"], "logo_sizes": ["w45"], "still_sizes": ["w92"],
         "poster_sizes": ["w92", "w154", "w185", "w342", "w500", "w780", "original"], "profile_sizes": ["w45", "h632"]}}
        """
}
