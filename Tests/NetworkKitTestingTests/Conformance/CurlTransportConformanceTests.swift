#if canImport(Glibc) || canImport(Musl)
import NetworkKit
import NetworkKitTesting
import Testing

/// The library's own transport keeps every rule; the tests are those of the documentation.
@Suite("CurlTransport: conformance", .serialized)
struct CurlTransportConformanceTests {
    @Test("CurlTransport keeps the rule", arguments: TransportConformance.cases)
    func conformance(_ rule: TransportConformance.Case) async {
        let result = await TransportConformance.run(rule) { MyTransport() }
        print("CurlTransport: \(result)")
        #expect(!result.isFailure, "\(result)")
        // Their decoders are there or not, as the machine has it.
        if case .skipped = result.outcome { #expect(["brotli", "zstd"].contains(rule.name), "\(result)") }
    }

    @Test("One call runs several cases, and says which fail")
    func report() async {
        let results = await TransportConformance.run(only: ["obs-text", "trailers"]) {
            MyTransport()
        }
        for result in results where result.isFailure { print(result) }
        #expect(results.map { "\($0)" }.first?.hasPrefix("passed: obs-text (RFC 9110 §5.5): ") == true)
    }

    /// Few connections, since other tests count the descriptors of the process.
    private struct MyTransport: Transport {
        private let curl = CurlTransport(.init(proxy: .none, connectionsPerHost: 16))
        func send(_ request: HTTPRequest) async throws(RequestError) -> HTTPResponse { try await curl.send(request) }
    }
}
#endif
