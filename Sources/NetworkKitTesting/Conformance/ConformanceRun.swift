internal import NetworkKit
internal import PlatformBase

/// One run of one case, bounded in time whatever the transport does.
struct ConformanceRun {
    private let rule: TransportConformance.Case

    init(_ rule: TransportConformance.Case) { self.rule = rule }

    func outcome(
        within limit: Duration, _ makeTransport: @escaping @Sendable () throws -> any Transport
    ) async -> TransportConformance.Outcome {
        let bench: ConformanceBench
        do {
            bench = ConformanceBench(try makeTransport())
        } catch {
            return .failed("no transport was made: \(error)")
        }
        // A task group would wait for a transport that never returns. What is raced here has tasks of its own, and whoever comes
        // second is left behind.
        let (outcomes, outcome) = AsyncStream<TransportConformance.Outcome>.makeStream()
        let work = bench.task { outcome.yield(await Self.perform(rule, on: bench)) }
        let timer = Task {
            try? await Task.sleep(for: limit)
            outcome.yield(.failed("it had not come to an end after \(limit)"))
        }
        var first: TransportConformance.Outcome?
        for await outcome in outcomes {
            first = outcome
            break
        }
        work.cancel()
        timer.cancel()
        await bench.close()
        return first ?? .skipped("the run was cancelled")
    }

    private static func perform(_ rule: TransportConformance.Case, on bench: ConformanceBench) async -> TransportConformance.Outcome {
        do {
            try await rule.check(bench)
            return .passed
        } catch let failure as ConformanceFailure {
            return .failed(failure.reason)
        } catch let skip as ConformanceSkip {
            return .skipped(skip.reason)
        } catch let error as RequestError {
            return .failed("the request failed: \(error)")
        } catch {
            return .failed("\(error)")
        }
    }
}

/// Why a case failed.
struct ConformanceFailure: Error {
    let reason: String
    init(_ reason: String) { self.reason = reason }
}

/// Why nothing can be said.
struct ConformanceSkip: Error {
    let reason: String
    init(_ reason: String) { self.reason = reason }
}

/// Fails the case unless two values are equal.
func expect<Value: Equatable>(_ what: String, _ value: Value, is expected: Value) throws(ConformanceFailure) {
    guard value != expected else { return }
    throw ConformanceFailure("\(what): expected \(shown(expected)), got \(shown(value))")
}

/// Fails the case unless the condition holds.
func expect(_ condition: Bool, _ failure: @autoclosure () -> String) throws(ConformanceFailure) {
    if !condition { throw ConformanceFailure(failure()) }
}

/// A value as a failure shows it: bytes as text, and not all of a long one.
private func shown(_ value: Any) -> String {
    let text: String
    switch value {
    case let data as Data: text = "\(data.count) bytes \(Token.quoted(String(decoding: data.prefix(80), as: UTF8.self)))"
    case let string as String: text = Token.quoted(string)
    default: text = "\(value)"
    }
    return text.utf8.count <= 200 ? text : "\(text.prefix(200))…"
}
