#if URLSession
import NetworkKit
import NetworkKitTesting
import PlatformBase
import Testing

/// The platform's transport keeps every rule that the platform lets it keep. What it doesn't is declared, with the reason; a
/// declared exception that passes is a failure.
@Suite("URLSessionTransport: conformance", .serialized)
struct URLSessionTransportConformanceTests {
    private static let inProcess = TransportConformance.cases.filter { rule in
        !URLSessionExceptions.all.contains { $0.name == rule.name && $0.effect != .fails }
    }

    @Test("URLSessionTransport keeps the rule, or its exception is declared", arguments: inProcess)
    func conformance(_ rule: TransportConformance.Case) async {
        let exceptions = URLSessionExceptions.reason(for: rule.name).map { [rule.name: $0] } ?? [:]
        let results = await TransportConformance.run(only: [rule.name], exceptions: exceptions) { URLSessionTransport() }
        #expect(results.count == 1)
        for result in results {
            print("URLSessionTransport: \(result)")
            #expect(!result.isFailure, "\(result)")
            // `stale-named` asks what a POST on a kept connection ends with, and a POST has one of its own.
            if case .skipped = result.outcome { #expect(["brotli", "zstd", "stale-named"].contains(rule.name), "\(result)") }
        }
    }

    /// In a process of its own, whose sessions are left as they are when it is clear that they wait.
    @Test("What waits for ever is declared to, and still does", arguments: URLSessionExceptions.all(.waits).map(\.name))
    func waiting(_ name: String) async {
        await #expect(processExitsWith: .exitCode(42)) { [name = name as String] in
            guard let rule = TransportConformance.case(named: name) else { return }
            let result = await TransportConformance.run(rule, timeLimit: .seconds(1)) { URLSessionTransport() }
            if case .failed(let failure) = result.outcome, failure.contains("had not come to an end") { exit(42) }
            print("it ended: \(result)")
        }
        print("URLSessionTransport: waits: \(name): \(URLSessionExceptions.reason(for: name) ?? "")")
    }

    @Test("What ends the process is declared to, and still does", arguments: URLSessionExceptions.all(.crashes).map(\.name))
    func crashing(_ name: String) async {
        // A case that passes or fails leaves its process to end well.
        await #expect(processExitsWith: .failure) { [name = name as String] in
            guard let rule = TransportConformance.case(named: name) else { return }
            print("it ended: \(await TransportConformance.run(rule, timeLimit: .seconds(10)) { URLSessionTransport() })")
        }
        print("URLSessionTransport: crashes: \(name): \(URLSessionExceptions.reason(for: name) ?? "")")
    }
}
#endif
