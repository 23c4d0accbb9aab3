import Foundation
import NetworkKitTesting
import Testing

@testable import NetworkKit

@Suite("The last check before bytes are made")
struct RequestCheckTests {
    private func request(
        _ target: String = "https://h.test/a", _ method: HTTPMethod = .post, _ headers: HTTPFields = [:], body: RequestBody? = nil
    ) -> HTTPRequest {
        HTTPRequest(url: url(target), method: method, headers: headers, body: body)
    }

    @Test(
        "A field name that is no token is refused",
        arguments: ["", "A B", "A:", "A\r\nB", "A\0", "Ä", " A", "A ", "A\t", "A/B", "\"A\""])
    func names(name: String) {
        let error = failure { () throws(RequestError) in try request("https://h.test", .get, [HTTPField.Name(name): "x"]).checked() }
        #expect(error?.encodePart == .fieldName)
    }

    @Test(
        "A field value with a control character is refused and the field named",
        arguments: ["a\r\nX: y", "a\nb", "a\rb", "a\0b", "\u{1}", "\u{7F}", "a\u{1B}[0m"])
    func values(value: String) {
        let error = failure { () throws(RequestError) in try request("https://h.test", .get, ["X-A": value]).checked() }
        #expect(error?.encodePart == .fieldValue("X-A"))
        #expect(error?.description.contains("X-A") == true)
    }

    @Test("A number without a text is refused, and so is what a value of one's own says of itself", arguments: [Double.nan, .infinity])
    func noText(number: Double) async throws {
        struct Own: QueryValue { var queryParts: [QueryPart] { [QueryPart("?", fault: "it is the wrong one")] } }
        let fields: HTTPFields = ["X-Ratio": number]
        let error = failure { () throws(RequestError) in try request("https://h.test", .get, fields).checked() }
        #expect(error?.encodePart == .fieldValue("X-Ratio"))
        #expect(error?.description.contains("the value of X-Ratio can't be sent: the number is \(number)") == true)
        let own = failure { () throws(RequestError) in try request("https://h.test", .get, ["X-Own": [Own()]]).checked() }
        #expect(own?.encodePart == .fieldValue("X-Own") && own?.description.contains("it is the wrong one") == true)
        // Nothing is sent, and what takes its place is a value like any other.
        let stub = StubTransport(.status(200))
        let client = NetworkClient(session: HTTPSession(transport: stub))
        #expect(await client.data(for: SampleEndpoint(headers: fields)).failure?.encodePart == .fieldValue("X-Ratio"))
        #expect(await client.data(for: SampleEndpoint(headers: ["X-Key": .secret(number)])).failure?.encodePart == .fieldValue("X-Key"))
        #expect(stub.requests.isEmpty)
        var mended = fields
        mended["X-Ratio"] = "1"
        #expect(try request("https://h.test", .get, mended).checked().headers["X-Ratio"] == "1")
        var field = fields[0]
        field.value = "2"
        #expect(field.isFit && !fields[0].isFit)
    }

    @Test("Tabs and text outside ASCII may stand in a value", arguments: ["", "a\tb", "Md6-大麦", "®", "~!@#$%^&*()"])
    func allowedValues(value: String) throws {
        #expect(try request("https://h.test", .get, ["X-A": value]).checked().headers["X-A"] == value)
    }

    @Test("A value's fault doesn't show a secret value")
    func secretValue() {
        let error = failure { () throws(RequestError) in try request("https://h.test", .get, ["X-A": .secret("hunter22\n")]).checked() }
        #expect(error?.encodePart == .fieldValue("X-A"))
        #expect(!everythingShown(of: error as Any).contains("hunter22"))
    }

    @Test(
        "Only what can be asked goes out",
        arguments: [("ftp://h.test", .scheme), ("file:///x", .scheme), ("/x", .whole), ("http:///x", .host), ("http://h.test:0", .port)]
            as [(String, RequestError.InvalidURL.Component)])
    func urls(target: String, component: RequestError.InvalidURL.Component) {
        #expect(failure { () throws(RequestError) in try request(target, .get).checked() }?.invalidComponent == component)
    }

    @Test(
        "The bytes of a URL go out as they are",
        arguments: ["https://h.test/a%2Fb%20c?x=%26%3D", "https://h.test/a/../b?", "http://[::1]:8/"])
    func bytes(target: String) throws {
        #expect(try request(target, .get).checked().url.absoluteString == target)
    }

    @Test("User information becomes Authorization, and is masked from then on")
    func userInformation() throws {
        let plain = request("https://jo:hunter22@h.test/a", .get)
        let checked = try plain.checked()
        #expect(checked.url.absoluteString == "https://h.test/a")
        #expect(checked.headers[.authorization] == "Basic " + Data("jo:hunter22".utf8).base64EncodedString())
        #expect(checked.context.secrets.masking("hunter22") == "***")
        #expect(!everythingShown(of: plain).contains("hunter22"))
        let error = failure { () throws(RequestError) in try request("https://jo:hunter22@h.test/a", .get, ["a b": "c"]).checked() }
        #expect(!everythingShown(of: error as Any).contains("hunter22"))
    }

    @Test("Framing fields are taken off, since the transport makes them")
    func framingFields() throws {
        let body = RequestBody.data(Data("12345".utf8))
        #expect(try request(body: body).checked().headers.isEmpty)
        for headers: HTTPFields in [["Content-Length": 5], ["Content-Length": "005"], ["transfer-encoding": "Chunked"]] {
            let checked = try request("https://h.test", .post, headers, body: body).checked()
            #expect(checked.headers.isEmpty && checked.body?.length == 5)
        }
    }

    @Test("Content-Length gives a stream its length")
    func streamLength() throws {
        let body = RequestBody.stream(AsyncStream<Data> { $0.finish() })
        #expect(try request(body: body).checked().body?.length == nil)
        let checked = try request("https://h.test", .post, ["Content-Length": 7], body: body).checked()
        #expect(checked.body?.length == 7 && checked.body?.isReplayable == false)
    }

    @Test(
        "Framing that contradicts itself is refused",
        arguments: [
            ["Content-Length": "4"], ["Content-Length": "6"], ["Content-Length": "-5"], ["Content-Length": "+5"], ["Content-Length": "5 "],
            ["Content-Length": ""], ["Content-Length": ["5", "6"]], ["Content-Length": "99999999999999999999"],
            ["Transfer-Encoding": "gzip, chunked"], ["Transfer-Encoding": "identity"], ["Transfer-Encoding": ""],
        ] as [HTTPFields])
    func framing(headers: HTTPFields) {
        let sent = request("https://h.test", .post, headers, body: .data(Data("12345".utf8)))
        #expect(failure { () throws(RequestError) in try sent.checked() }?.encodePart == .framing)
    }

    @Test("A length without a body is refused, but for 0")
    func lengthWithoutBody() throws {
        #expect(try request("https://h.test", .post, ["Content-Length": 0]).checked().headers.isEmpty)
        let sent = request("https://h.test", .get, ["Content-Length": 5])
        #expect(failure { () throws(RequestError) in try sent.checked() }?.encodePart == .framing)
    }

    @Test("TRACE and HEAD have no body, other methods may", arguments: [HTTPMethod.get, .head, .post, .delete, .options, .trace, .query])
    func bodies(method: HTTPMethod) throws {
        let sent = request("https://h.test", method, body: .data(Data("x".utf8)))
        if method == .trace || method == .head {
            #expect(failure { () throws(RequestError) in try sent.checked() }?.encodePart == .body)
        } else {
            #expect(try sent.checked().body?.length == 1)
        }
        let empty = try request("https://h.test", method, body: .data(Data())).checked()
        #expect((empty.body == nil) == (method == .trace || method == .head))
    }

    @Test("A body that is still a value is encoded, not lost")
    func valueBody() throws {
        #expect(try request(body: .json([1, 2])).checked().body?.length == 5)
    }

    @Test("A body that can't be made says why")
    func invalidBody() {
        let error = failure { () throws(RequestError) in try request(body: .file(url("https://h.test/x"))).checked() }
        guard case .file = error else { return #expect(error != nil, "expected file") }
    }

    @Test("The check changes nothing when it is made twice")
    func twice() throws {
        let once = try request("https://jo:pw@h.test/a", .post, ["X": "y"], body: .data(Data("x".utf8))).checked()
        let twice = try once.checked()
        #expect(twice.url == once.url && twice.headers == once.headers && twice.method == once.method)
    }

    @Test(
        "A name outside ASCII is sent in its IDNA form or refused, never as something else",
        arguments: ["bücher.example", "ü.test", "例え.テスト"])
    func idna(host: String) throws {
        let known = ["bücher.example": "xn--bcher-kva.example", "ü.test": "xn--tda.test", "例え.テスト": "xn--r8jz45g.xn--zckzah"]
        do throws(RequestError) {
            #expect(try HostName.ascii(host) == known[host])
            #expect(try HostName.ascii(PercentEncoding.encodeValue(host)) == known[host])
        } catch {
            #expect(error.invalidComponent == .host)
        }
    }

    @Test(
        "A host with what no host has is refused",
        arguments: ["", "a b", "a/b", "a%2Fb", "a%00b", "a\\b", "[::1", "[1.2.3.4]", "[::g]", "a%ff", "a:b", "[fe80::1%25eth0]"])
    func hosts(host: String) {
        #expect(failure { () throws(RequestError) in try HostName.ascii(host) }?.invalidComponent == .host)
    }
}
