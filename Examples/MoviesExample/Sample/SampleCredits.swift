// The names are those of the wire, so that what is sent can be read off the declaration.

/// Who made a sample's movie, as the sample server writes it.
struct SampleCredits: Encodable {
    private struct Person: Encodable {
        let id: Int
        let name: String
        var character: String?
        var order: Int?
        var job: String?
        let profile_path: String?
    }

    private let id: Int
    private let cast: [Person]
    private let crew: [Person]

    init(_ movie: SampleMovie) {
        id = movie.id
        cast = SampleCatalogue.cast(of: movie.id).enumerated().map { order, person in
            Person(id: movie.id * 10 + order, name: person.name, character: person.character, order: order, profile_path: nil)
        }
        crew = [Person(id: movie.id * 10 + 9, name: SampleCatalogue.director(of: movie.id), job: "Director", profile_path: nil)]
    }
}

/// Where a sample's images would be, as the sample server writes it.
struct SampleImages: Encodable {
    private struct Images: Encodable {
        let base_url = "http://images.example/t/p/"
        let secure_base_url = "https://images.example/t/p/"
        let poster_sizes = ["w92", "w154", "w185", "w342", "w500", "w780", "original"]
        let backdrop_sizes = ["w300", "w780", "w1280", "original"]
    }

    private let images = Images()
}
