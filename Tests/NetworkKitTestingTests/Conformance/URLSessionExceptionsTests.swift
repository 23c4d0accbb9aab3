import NetworkKitTesting
import PlatformBase
import Testing

@Suite("URLSessionTransport's declared exceptions")
struct URLSessionExceptionsTests {
    @Test("Each is a case, once, in the order of the cases, and stands in the documentation with its reason")
    func documented() throws {
        let names = URLSessionExceptions.all.map(\.name)
        #expect(TransportConformance.cases.map(\.name).filter(names.contains) == names)
        let file = URL(filePath: #filePath).appending(path: "../../../../Documentation/Conformance.md").standardized
        let lines = String(decoding: try Data(contentsOf: file), as: UTF8.self).split(separator: "\n").map(String.init)
        let effects = ["| fails |", "| waits |", "| crashes |"]
        let rows = lines.filter { line in line.hasPrefix("| `") && effects.contains { line.contains($0) } }
        #expect(rows == URLSessionExceptions.all.map(\.row))
        let kept = TransportConformance.cases.count - names.count
        #expect(lines.contains { $0.contains("\(kept) of \(TransportConformance.cases.count) cases") }, "\(kept) cases are kept")
    }
}
