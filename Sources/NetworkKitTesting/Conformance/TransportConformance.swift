public import NetworkKit
internal import PlatformBase

/// Whether a ``Transport`` does what the library promises and the standards ask: more than 150 cases, each with a name and the
/// rule that it comes from, run against a real server.
///
/// Whoever writes a transport makes its tests of them, one for each case:
///
/// ```swift
/// @Test("The transport keeps the rule", .serialized, arguments: TransportConformance.cases)
/// func conformance(_ rule: TransportConformance.Case) async {
///     let result = await TransportConformance.run(rule) { MyTransport() }
///     #expect(!result.isFailure, "\(result)")
/// }
/// ```
///
/// or has all of them run by one call, with what the transport is known not to do:
///
/// ```swift
/// let results = await TransportConformance.run(exceptions: ["obs-text": "the platform refuses bytes outside ASCII"]) {
///     MyTransport()
/// }
/// for result in results where result.isFailure { print(result) }
/// ```
///
/// It knows of no test framework and talks to 127.0.0.1 only. A transport that hangs, heeds no cancellation or blocks the thread that
/// calls it fails the case and is left behind; one that crashes takes the process along: leave such cases out with `excluding`, and
/// run each in a process of its own.
public enum TransportConformance {
    /// All cases, area by area.
    public static let cases: [Case] =
        headCases + framingCases + lengthCases + statusCases + codingCases + bodyCases + uploadCases + duplexCases + methodCases
        + targetCases
        + injectionCases
        + redirectCases + challengeCases + connectionCases + resendCases + cancellationCases + timeCases + metricsCases

    /// The case of a name, or `nil` when there is none.
    public static func `case`(named name: String) -> Case? { cases.first { $0.name == name } }

    /// Runs one case.
    ///
    /// - Parameters:
    ///   - timeLimit: how long it may take. Few take more than a tenth of a second, none much more than three.
    ///   - makeTransport: makes the transport that is examined.
    /// - Returns: how it went. A transport that goes on after the limit is left behind, cancelled.
    public static func run(
        _ case: Case, timeLimit: Duration = .seconds(30), on makeTransport: @escaping @Sendable () throws -> any Transport
    ) async -> Result {
        Result(case: `case`, outcome: await ConformanceRun(`case`).outcome(within: timeLimit, makeTransport))
    }

    /// Runs all cases, or some, one after the other.
    ///
    /// - Parameters:
    ///   - names: the names of the cases to run; all when `nil`.
    ///   - excluded: the names of cases not to run at all, such as those that crash the transport.
    ///   - exceptions: cases that the transport is known to fail, by name, each with the reason. One that passes is a failure, so that
    ///     the list stays true.
    ///   - timeLimit: how long each case may take.
    ///   - makeTransport: makes a transport; it is asked for each case.
    /// - Returns: a result for each case, in the order of ``cases``. A name that no case has is a failure of its own. When the task
    ///   is cancelled, the rest is skipped.
    public static func run(
        only names: Set<String>? = nil, excluding excluded: Set<String> = [], exceptions: [String: String] = [:],
        timeLimit: Duration = .seconds(30), on makeTransport: @escaping @Sendable () throws -> any Transport
    ) async -> [Result] {
        let mentioned = (names ?? []).union(excluded).union(exceptions.keys)
        var results = mentioned.subtracting(cases.map(\.name)).sorted().map(Result.unknownName)
        for item in cases where names?.contains(item.name) ?? true && !excluded.contains(item.name) {
            guard !Task.isCancelled else {
                results.append(Result(case: item, outcome: .skipped("the run was cancelled")))
                continue
            }
            let result = await run(item, timeLimit: timeLimit, on: makeTransport)
            results.append(exceptions[item.name].map(result.excused) ?? result)
        }
        return results
    }
}
