/// The time zone of a sample's place, without the calendar of clock changes that a real provider has.
struct SampleZone {
    let name: String
    /// Hours from UTC.
    let offset: Double

    /// The zone of a place: named for those that the program knows, else the one of its longitude.
    static func of(_ location: Location) -> SampleZone {
        if let known = known.first(where: { $0.key == CoordinateKey(location) }) { return known.zone }
        let hours = Int((location.longitude / 15).rounded())
        // The names count the other way: Etc/GMT-3 is three hours ahead.
        return SampleZone(name: hours == 0 ? "Etc/GMT" : "Etc/GMT\(hours > 0 ? "-" : "+")\(abs(hours))", offset: Double(hours))
    }

    private static let known: [(key: CoordinateKey, zone: SampleZone)] = Gazetteer.places.compactMap { place in
        names[place.id].map { (CoordinateKey(place), SampleZone(name: $0.0, offset: $0.1)) }
    }

    private static let names: [String: (String, Double)] = [
        "paris": ("Europe/Paris", 1), "new-york": ("America/New_York", -5), "cape-town": ("Africa/Johannesburg", 2),
        "berlin": ("Europe/Berlin", 1), "buenos-aires": ("America/Argentina/Buenos_Aires", -3), "cairo": ("Africa/Cairo", 2),
        "london": ("Europe/London", 0), "longyearbyen": ("Arctic/Longyearbyen", 1), "mumbai": ("Asia/Kolkata", 5.5),
        "nairobi": ("Africa/Nairobi", 3), "sao-paulo": ("America/Sao_Paulo", -3), "seoul": ("Asia/Seoul", 9),
        "sydney": ("Australia/Sydney", 10), "tokyo": ("Asia/Tokyo", 9),
    ]
}
