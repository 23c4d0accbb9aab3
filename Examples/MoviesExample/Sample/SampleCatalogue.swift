/// Movies that don't exist: the titles, people and votes are invented.
enum SampleCatalogue {
    /// The movies, best first.
    static let movies: [SampleMovie] = titles.enumerated().map { rank, row in
        let (title, original, language, year) = row
        return SampleMovie(
            id: 9001 + rank, title: title, originalTitle: original ?? title, language: language, year: year,
            runtime: year == nil ? 0 : 84 + (rank * 37) % 71, genres: genres(rank),
            overview: rank % 11 == 10 ? "" : overview(title, rank), voteAverage: (8.9 - Double(rank) * 0.04).rounded(to: 1000),
            voteCount: 27_300 - rank * 487 - (rank * 7919) % 400, posterPath: rank % 9 == 5 ? nil : "/sample-\(9001 + rank).jpg")
    }

    /// The people of a movie.
    static func cast(of id: Int) -> [(name: String, character: String)] {
        (0..<6).map { index in
            let given = givenNames[(id + index * 5) % givenNames.count]
            let family = familyNames[(id * 3 + index * 4) % familyNames.count]
            return ("\(given) \(family)", characters[(id + index) % characters.count])
        }
    }

    /// The director of a movie.
    static func director(of id: Int) -> String {
        "\(givenNames[(id * 5 + 2) % givenNames.count]) \(familyNames[(id + 4) % familyNames.count])"
    }

    private static func genres(_ rank: Int) -> [Int] {
        let all = SampleMovie.genreNames.keys.sorted()
        return [all[rank % all.count], all[(rank * 2 + 1) % all.count]].reduce(into: []) { list, genre in
            if !list.contains(genre) { list.append(genre) }
        }
    }

    private static func overview(_ title: String, _ rank: Int) -> String {
        let lead = leads[rank % leads.count]
        return "\(lead), and nothing is as it was. \(title) is a movie made up for this sample; nobody has seen it yet."
    }

    private static let leads = [
        "A lighthouse keeper counts the ships and finds one too many", "Two sisters inherit a railway station without a railway",
        "A translator begins to dream in a language that nobody speaks", "The last clockmaker of a small town stops all clocks at once",
        "A cartographer discovers her own street on a map from 1702",
    ]
    private static let givenNames = ["Ada", "Bram", "Chidi", "Dunja", "Elio", "Fen", "Greta", "Hana", "Ivo", "Jun", "Kaja"]
    private static let familyNames = ["Quillfeather", "Oakmoor", "Vanterpool", "Sandvik-Lune", "Abernox", "Tamarisk", "Winterbourne-Ito"]
    private static let characters = ["The Keeper", "Mira", "The Other One", "Old Anselm", "Constable Pym", "A Voice", "Tilda"]

    private static let titles: [(String, String?, String, Int?)] = [
        ("The Ledger of Small Lights", nil, "en", 1994), ("Seventeen Umbrellas", nil, "en", 1972),
        ("The Observatory of Night", "夜の観測所", "ja", 2001), ("Café of the Forgotten Trains", "Café des trains oubliés", "fr", 1966),
        ("A Quiet Arithmetic", nil, "en", 2010), ("The Clockmaker's Silence", "Das Schweigen der Uhrmacherin", "de", 1987),
        ("星屑郵便局", "星屑郵便局", "ja", 1999), ("Every Bridge but One", nil, "en", 2008), ("Salt and Semaphore", nil, "en", 1957),
        ("The Starlight Post Office", "별빛 우체국", "ko", 2015), ("Nine Doors to Marrow Street", nil, "en", 2019),
        ("Two Sisters and a Timetable", nil, "en", 1949),
        ("The Long Way to Anywhere, or: How the Tallest Man in Lower Fennimore Lost His Hat", nil, "en", 1978),
        ("Cartography for Beginners", nil, "en", 2003), ("Der Garten unter dem Fluss", "Der Garten unter dem Fluss", "de", 1991),
        ("Paper Weather", nil, "en", 2016), ("The Ninth Understudy", nil, "en", 1983),
        ("Crème brûlée à minuit", "Crème brûlée à minuit", "fr", 2012),
        ("An Orchard of Antennas", nil, "en", 1969), ("The Untranslated", nil, "en", nil), ("Harbour Without a Sea", nil, "en", 1996),
        ("Letters to the Lamplighter", nil, "en", 1954), ("The Patience of Stairs", nil, "en", 2006),
        ("Ночной трамвай", "Ночной трамвай", "ru", 1985), ("A Minor Planet", nil, "en", 2018),
        ("Wintering the Glasshouse", nil, "en", 1975),
        ("The Box Marked Tuesday", nil, "en", 2011), ("Siete relojes", "Siete relojes", "es", 1998),
        ("Low Tide at the Ministry", nil, "en", 1961),
        ("A Map of All the Rooms", nil, "en", 2021), ("The Tuning Fork", nil, "en", 1989), ("Under the Third Moon", nil, "en", 2014),
        ("Foxglove & Sons", nil, "en", 1952), ("The Weight of Kites", nil, "en", 2005), ("Last Call for Platform Zero", nil, "en", 1993),
        ("O mar de vidro", "O mar de vidro", "pt", 2000), ("The Borrowed Hour", nil, "en", 1981), ("Sixty Words for Rain", nil, "en", 2017),
        ("The Hatmaker's Theorem", nil, "en", 1964), ("Epilogue, with Birds", nil, "en", 2020),
    ]
}

extension Double {
    fileprivate func rounded(to scale: Double) -> Double { (self * scale).rounded() / scale }
}
