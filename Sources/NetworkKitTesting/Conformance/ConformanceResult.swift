internal import NetworkKit

extension TransportConformance {
    /// How a case went.
    public enum Outcome: Sendable, Hashable {
        /// The transport does what the rule asks.
        case passed
        /// It doesn't; what it does instead.
        case failed(String)
        /// It can't be said; why.
        case skipped(String)
        /// It doesn't, which is a declared exception; the reason that was given for it, and what it does.
        case excused(String, failure: String)
    }

    /// A case and how it went.
    public struct Result: Sendable {
        /// The case.
        public let `case`: Case
        /// How it went.
        public let outcome: Outcome

        /// Whether the transport doesn't do what it must.
        public var isFailure: Bool { if case .failed = outcome { true } else { false } }

        /// The result with a declared exception taken into account.
        func excused(for reason: String) -> Result {
            switch outcome {
            case .failed(let failure): Result(case: `case`, outcome: .excused(reason, failure: failure))
            case .passed: Result(case: `case`, outcome: .failed("it passes, and is declared an exception: \(reason)"))
            case .skipped, .excused: self
            }
        }

        static func unknownName(_ name: String) -> Result {
            let unknown = Case(
                name: name, area: .heads, rule: "TransportConformance", requirement: "Names are those of cases", isDemanding: false,
                check: { _ in })
            return Result(case: unknown, outcome: .failed("no case has this name"))
        }
    }
}

extension TransportConformance.Result: CustomStringConvertible {
    /// A line for a report: `failed: trailers (RFC 9112 §7.1.2): Fields behind a chunked body are given …; the trailers: expected …`.
    public var description: String {
        let about = "\(`case`.name) (\(`case`.rule)): \(`case`.requirement)"
        return switch outcome {
        case .passed: "passed: \(about)"
        case .failed(let failure): "failed: \(about); \(failure)"
        case .skipped(let reason): "skipped: \(about); \(reason)"
        case .excused(let reason, let failure): "excused: \(about); \(reason); \(failure)"
        }
    }
}
