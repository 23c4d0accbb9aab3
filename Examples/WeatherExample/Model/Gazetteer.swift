internal import ExampleSupport
internal import PlatformBase

/// The places that the program knows by name, and how one is named on the command line.
enum Gazetteer {
    /// The places, those of the tutorial first.
    static let places =
        Location.previews + [
            Location(id: "berlin", name: "Berlin", country: "Germany", latitude: 52.52, longitude: 13.40),
            Location(id: "buenos-aires", name: "Buenos Aires", country: "Argentina", latitude: -34.60, longitude: -58.38),
            Location(id: "cairo", name: "Cairo", country: "Egypt", latitude: 30.04, longitude: 31.24),
            Location(id: "london", name: "London", country: "United Kingdom", latitude: 51.51, longitude: -0.13),
            Location(id: "longyearbyen", name: "Longyearbyen", country: "Svalbard", latitude: 78.22, longitude: 15.65),
            Location(id: "mumbai", name: "Mumbai", country: "India", latitude: 19.08, longitude: 72.88),
            Location(id: "nairobi", name: "Nairobi", country: "Kenya", latitude: -1.29, longitude: 36.82),
            Location(id: "sao-paulo", name: "São Paulo", country: "Brazil", latitude: -23.55, longitude: -46.63),
            Location(id: "seoul", name: "Seoul", country: "South Korea", latitude: 37.57, longitude: 126.98),
            Location(id: "sydney", name: "Sydney", country: "Australia", latitude: -33.87, longitude: 151.21),
            Location(id: "tokyo", name: "Tokyo", country: "Japan", latitude: 35.68, longitude: 139.69),
        ]

    /// The place that an operand means: a name, whatever its case and spaces, with or without accents, or `latitude,longitude`.
    ///
    /// - Throws: ``Failure`` with ``ExitCode/notFound``, which names the nearest place and the list.
    static func location(_ text: String) throws(Failure) -> Location {
        if let place = try coordinates(text) { return place }
        let wanted = key(text)
        if let place = places.first(where: { key($0.name) == wanted || key($0.id) == wanted }) { return place }
        let guess = NearMiss.nearest(to: wanted, among: places.map { key($0.id) })
        let meant = places.first { key($0.id) == guess }.map { " Did you mean \($0.name)?" } ?? ""
        let names = places.map(\.name).sorted().joined(separator: ", ")
        throw Failure(.notFound, "“\(text)” is not among the places known here.\(meant) They are: \(names); or give latitude,longitude.")
    }

    /// The place at two numbers; `nil` for what isn't two numbers at all.
    private static func coordinates(_ text: String) throws(Failure) -> Location? {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map { part in
            Double(part.filter { $0 != " " })
        }
        guard parts.count == 2, let latitude = parts[0], let longitude = parts[1] else { return nil }
        guard (-90...90).contains(latitude), (-180...180).contains(longitude) else {
            throw Failure(.notFound, "“\(text)” is no place: latitudes go from -90 to 90, longitudes from -180 to 180.")
        }
        return Location(latitude: latitude, longitude: longitude)
    }

    /// A name as it is compared: letters only, in lower case. Identifiers are the names without accents, for those who can't type them.
    private static func key(_ name: String) -> String { name.lowercased().filter(\.isLetter) }
}
