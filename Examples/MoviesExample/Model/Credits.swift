/// Who made a movie.
struct Credits: Codable, Sendable, Hashable {
    /// Somebody in front of the camera.
    struct CastMember: Codable, Sendable, Hashable {
        let id: Int
        let name: String
        let character: String?
        let order: Int?
    }

    /// Somebody behind it.
    struct CrewMember: Codable, Sendable, Hashable {
        let id: Int
        let name: String
        let job: String?
    }

    let cast: [CastMember]
    let crew: [CrewMember]

    /// The directors' names.
    var directors: [String] { crew.filter { $0.job == "Director" }.map(\.name) }
}
