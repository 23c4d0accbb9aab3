internal import NetworkKit

extension TransportConformance {
    /// What a case is about.
    public enum Area: String, Sendable, CaseIterable {
        /// Reading the head of an answer.
        case heads
        /// Where a body ends.
        case framing
        /// Statuses as answers.
        case statuses
        /// Content codings.
        case codings
        /// Reading the body of an answer.
        case bodies
        /// Sending the body of a request.
        case uploads
        /// Methods.
        case methods
        /// URLs, and what is sent of them.
        case targets
        /// Requests that could smuggle something, and are refused.
        case injection
        /// Redirects, cookies and caching, all of which are not the transport's business.
        case redirects
        /// Challenges, which are answers.
        case challenges
        /// Connections: kept, closed, many.
        case connections
        /// What is sent again, and what never is.
        case resending
        /// Cancellation.
        case cancellation
        /// Limits on time.
        case time
        /// Figures and events.
        case metrics
    }

    /// One thing that a transport must do.
    public struct Case: Sendable, Identifiable {
        /// The name, which no other case has: `trailers`.
        public let name: String
        /// What it is about.
        public let area: Area
        /// Where it is asked for: a section of an RFC, or the documentation of this library.
        public let rule: String
        /// What the transport must do, as a sentence.
        public let requirement: String
        /// Whether it takes more than a moment, or much of the machine: such cases are better run one at a time.
        public let isDemanding: Bool

        let check: @Sendable (ConformanceBench) async throws -> Void

        /// The same as `name`.
        public var id: String { name }
    }
}

extension TransportConformance.Case: CustomStringConvertible {
    /// The name.
    public var description: String { name }
}

/// A case in its area's table.
struct ConformanceRule {
    let name: String
    let rule: String
    let requirement: String
    let isDemanding: Bool
    let check: @Sendable (ConformanceBench) async throws -> Void

    init(
        _ name: String, _ rule: String, _ requirement: String, demanding: Bool = false,
        check: @escaping @Sendable (ConformanceBench) async throws -> Void
    ) {
        self.name = name
        self.rule = rule
        self.requirement = requirement
        isDemanding = demanding
        self.check = check
    }
}

extension TransportConformance.Area {
    /// The cases of this area.
    func cases(_ rules: [ConformanceRule]) -> [TransportConformance.Case] {
        rules.map {
            .init(name: $0.name, area: self, rule: $0.rule, requirement: $0.requirement, isDemanding: $0.isDemanding, check: $0.check)
        }
    }
}
