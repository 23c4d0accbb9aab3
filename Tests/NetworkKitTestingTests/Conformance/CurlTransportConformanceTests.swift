#if canImport(Glibc) || canImport(Musl)
import NetworkKit
import NetworkKitTesting
import Testing

/// The library's own transport keeps every rule.
@Suite("CurlTransport: conformance")
struct CurlTransportConformanceTests {
    private static let light = TransportConformance.cases.filter { !$0.isDemanding }
    private static let demanding = TransportConformance.cases.filter(\.isDemanding)

    @Test("CurlTransport keeps the rule", arguments: light)
    func momentary(_ rule: TransportConformance.Case) async {
        await keeps(rule)
    }

    @Test("CurlTransport keeps the rule, which takes a while to show", .serialized, arguments: demanding)
    func lasting(_ rule: TransportConformance.Case) async {
        await keeps(rule)
    }

    private func keeps(_ rule: TransportConformance.Case) async {
        let result = await TransportConformance.run(rule, timeLimit: .seconds(60)) { CurlTransport(.init(proxy: .none)) }
        switch result.outcome {
        case .passed: break
        // Their decoders are there or not, as the machine has it.
        case .skipped: #expect(["brotli", "zstd"].contains(rule.name), "\(result)")
        case .failed, .excused: Issue.record("\(result)")
        }
    }
}
#endif
