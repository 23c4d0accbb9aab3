internal import NetworkKit

/// A request that no route of a stub takes: the error behind the ``RequestError/unknown(_:)`` that it ends with.
public struct StubMismatch: Error, Sendable {
    /// The request.
    public let request: StubRequest
    /// The nearest routes, at most three, with what differs; the request's secrets masked.
    public let nearest: [String]
    private let isEmpty: Bool

    init(_ request: StubRequest, _ routes: [StubRoute]) {
        self.request = request
        isEmpty = routes.isEmpty
        let judged = routes.map { ($0, $0.differences(from: request)) }
        let sorted = judged.sorted { Self.weight($0.1) < Self.weight($1.1) }
        let secrets = request.request.allSecrets
        nearest = sorted.prefix(3).map { secrets.masking("\($0): \($1.map(\.text).joined(separator: "; "))") }
    }

    private static func weight(_ differences: [Difference]) -> Int { differences.reduce(0) { $0 + $1.weight } }

    var error: RequestError {
        .unknown(.init(reason: words, underlying: self))
    }

    private var words: String {
        if isEmpty { return "the stub has no routes; add one, such as routes.get(\"\(request.path)\", .json(…))" }
        return "no route of the stub takes it. Nearest:\n" + nearest.map { "  " + $0 }.joined(separator: "\n")
    }
}

extension StubMismatch: CustomStringConvertible, CustomReflectable {
    /// The request and the nearest routes, the request's secrets masked.
    public var description: String { "\(request): " + request.request.allSecrets.masking(words) }
    /// What `dump` sees: the description.
    public var customMirror: Mirror { Mirror(self, children: ["mismatch": description]) }
}
