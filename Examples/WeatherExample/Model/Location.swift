/// A place on Earth.
struct Location: Codable, Sendable, Hashable, Identifiable {
    let id: String
    let name: String
    let country: String
    let latitude: Double
    let longitude: Double

    init(id: String, name: String, country: String, latitude: Double, longitude: Double) {
        self.id = id
        self.name = name
        self.country = country
        self.latitude = latitude
        self.longitude = longitude
    }

    /// A place without a name.
    init(latitude: Double, longitude: Double) {
        self.init(id: "\(latitude),\(longitude)", name: "\(latitude), \(longitude)", country: "", latitude: latitude, longitude: longitude)
    }

    /// What heads a report.
    var title: String { country.isEmpty ? name : "\(name), \(country)" }
}

extension Location {
    /// The place of the first try.
    static var preview: Location { previews[0] }

    /// Places to try the program with.
    static let previews = [
        Location(id: "paris", name: "Paris", country: "France", latitude: 48.86, longitude: 2.35),
        Location(id: "new-york", name: "New York", country: "United States", latitude: 40.71, longitude: -74.01),
        Location(id: "cape-town", name: "Cape Town", country: "South Africa", latitude: -33.92, longitude: 18.42),
    ]
}
