/// A client that is measured.
protocol BenchmarkClient: Sendable {
    /// What its figures are called.
    var name: String { get }
    /// Works until the bounds are reached. It keeps its connections from one round to the next.
    func run(_ load: Load, within bounds: Bounds) async throws -> Round
}

/// Why a scenario, or a client in it, gives no figures.
struct Unavailable: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
