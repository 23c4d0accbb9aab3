/// A place to two decimals, about 1.1 km: places that are nearer to each other have the same weather.
struct CoordinateKey: Hashable, Sendable {
    private let latitude: Int
    private let longitude: Int

    /// The key of a place: rounded, so that two places metres apart may still have different keys.
    init(_ location: Location) {
        latitude = Int((location.latitude * 100).rounded())
        longitude = Int((location.longitude * 100).rounded())
    }
}
