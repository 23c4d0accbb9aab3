import Foundation
import Testing

@testable import NetworkKit

@Suite("Paths")
struct PathTests {
    private func sent(_ path: Path) throws(RequestError) -> String {
        let text = try EndpointURL(base: url("https://h.test"), path: path, query: [:]).url.absoluteString
        return String(text.dropFirst("https://h.test/".count))
    }

    @Test(
        "An interpolated value is one percent-encoded segment",
        arguments: [
            ("550", "550"), ("a/b", "a%2Fb"), ("a?b#c", "a%3Fb%23c"), ("100%", "100%25"), ("%2F", "%252F"), ("a b+c", "a%20b%2Bc"),
            ("é/漢", "%C3%A9%2F%E6%BC%A2"), ("\\\\h", "%5C%5Ch"), ("a\r\nb", "a%0D%0Ab"), ("-._~", "-._~"),
            ("!$&'()*+,;=:@[]", "%21%24%26%27%28%29%2A%2B%2C%3B%3D%3A%40%5B%5D"),
            ("...", "..."), (".a", ".a"), ("a..", "a.."),
        ])
    func encoding(value: String, expected: String) throws {
        #expect(try sent("x/\(value)/y") == "x/\(expected)/y")
    }

    @Test(
        "A value that is empty or a dot segment, also once decoded, is refused and named",
        arguments: ["", ".", "..", "%2e", "%2E%2e", ".%2e", "%252e%252E", "%25252e", "%%32e", "%2%65"])
    func dotSegments(value: String) {
        for path: Path in ["x/\(value)/y", "\(value)", "x/\(value)"] {
            let error = failure { () throws(RequestError) in try sent(path) }
            #expect(error?.invalidComponent == .path)
            #expect(error?.description.contains("\"\(value)\"") == true)
        }
    }

    @Test("A value is looked at in its time, however often it is encoded", .timeLimit(.minutes(1)))
    func nested() throws {
        let deep = "%" + String(repeating: "25", count: 50_000)
        #expect(failure { () throws(RequestError) in try sent("x/\(deep)2e") }?.invalidComponent == .path)
        #expect(try sent("x/\(deep + "z")").hasSuffix("z"))
        #expect(try sent("x/\("100%25")/\("%2525ab")") == "x/100%2525/%252525ab")
    }

    @Test("A secret value that is refused isn't named")
    func secretDotSegment() {
        let error = failure { () throws(RequestError) in try sent("x/\(secret: "%2e%2e")") }
        #expect(error?.invalidComponent == .path)
        #expect(error?.description.contains("%2e") == false)
        #expect(error?.description.contains("a secret value") == true)
    }

    @Test("A value can't complete a dot segment or an escape of the literal before it")
    func acrossPieces() throws {
        #expect(throws: RequestError.self) { try sent("x/.\(".")/y") }
        #expect(try sent("x/%2\("e")/y") == "x/%252e/y")
        #expect(try sent("files/\("report").\("pdf")") == "files/report.pdf")
    }

    @Test("Numbers have no exponent and no needless fraction")
    func numbers() throws {
        #expect(try sent("\(37.5),\(-122.0)/\(1e-7)/\(1e21)/\(42)/\(UInt8(7))") == "37.5,-122/0.0000001/1000000000000000000000/42/7")
        #expect(try sent("\(true)/\(Substring("ab"))/\(Float(0.1))") == "true/ab/0.1")
    }

    @Test("A number without a decimal form is refused", arguments: [Double.nan, .infinity, -.infinity])
    func notFinite(value: Double) {
        #expect(failure { () throws(RequestError) in try sent("x/\(value)") }?.invalidComponent == .path)
    }

    @Test("A value in a path's query is a query value")
    func queryValue() throws {
        #expect(try sent("search?q=\("a&b=c d")&empty=\("")") == "search?q=a%26b%3Dc%20d&empty=")
    }

    @Test("Paths can be made of segments, of text that is encoded, of enums, and be added up")
    func otherForms() throws {
        enum Kind: String, PathValue { case tvShow = "tv/show" }
        #expect(try sent(Path(segments: ["a/b", "c d"])) == "a%2Fb/c%20d")
        #expect(try sent("x/\(encoded: "a%2Fb/c")") == "x/a%2Fb/c")
        #expect(try sent("\(Kind.tvShow)") == "tv%2Fshow")
        #expect(try sent("a/" + Path("b")) == "a/b")
        let id = try #require(UUID(uuidString: "0E1F2A3B-0000-4000-8000-0123456789AB"))
        #expect(try sent("\(id)") == id.uuidString)
    }

    @Test("A secret is sent and never shown")
    func secrets() throws {
        let path: Path = "forecast/\(secret: "k3y/välue")/\(1.5)"
        #expect(try sent(path) == "forecast/k3y%2Fv%C3%A4lue/1.5")
        #expect("\(path)" == "forecast/***/1.5")
        for shown in [everythingShown(of: path), everythingShown(of: SampleEndpoint(path: path))] {
            #expect(!shown.contains("k3y"))
        }
    }
}
