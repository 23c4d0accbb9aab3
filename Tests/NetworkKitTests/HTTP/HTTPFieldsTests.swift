import Testing

@testable import NetworkKit

@Suite("Fields")
struct HTTPFieldsTests {
    @Test("Names don't differ by case, and the case given is kept")
    func names() {
        let fields: HTTPFields = ["x-request-ID": "1"]
        #expect(fields["X-Request-Id"] == "1")
        #expect(fields.first?.name.rawName == "x-request-ID")
        #expect(HTTPField.Name("ETag") == .eTag && HTTPField.Name("etag").hashValue == HTTPField.Name.eTag.hashValue)
        #expect(HTTPField.Name("K") != HTTPField.Name("\u{212A}"), "only ASCII has a case here")
    }

    @Test("Order and repeated fields are kept, and read joined or apart")
    func repeated() {
        let fields: HTTPFields = ["Link": "<a>", "Accept": "x", "link": "<b>, <c>"]
        #expect(fields.map(\.value) == ["<a>", "x", "<b>, <c>"])
        #expect(fields[.link] == "<a>, <b>, <c>")
        #expect(fields[values: .link] == ["<a>", "<b>, <c>"])
        #expect(fields[.age] == nil && fields[values: .age].isEmpty)
    }

    @Test("Set-Cookie is never joined")
    func setCookie() {
        let first = "a=1; Expires=Sun, 16 Aug 2026 00:00:00 GMT"
        let fields = HTTPFields([HTTPField(name: .setCookie, value: first), HTTPField(name: .setCookie, value: "b=2")])
        #expect(fields[.setCookie] == first)
        #expect(fields[values: .setCookie] == [first, "b=2"])
    }

    @Test("Writing replaces all fields of the name, in the place of the first")
    func writing() {
        var fields: HTTPFields = ["A": "1", "B": "2", "a": "3", "C": "4"]
        fields["A"] = "5"
        #expect(fields.map(\.description) == ["A: 5", "B: 2", "C: 4"])
        fields[values: "B"] = ["6", "7"]
        #expect(fields.map(\.value) == ["5", "6", "7", "4"])
        fields["b"] = nil
        #expect(fields.map(\.value) == ["5", "4"])
        fields["D"] = "8"
        #expect(fields.map(\.value) == ["5", "4", "8"])
    }

    @Test("In a literal nil is left out, an array repeats, and values are written as in a query")
    func literal() {
        let none: String? = nil
        let fields: HTTPFields = ["A": none, "B": ["1", "2"], "C": 3, "D": true, "E": 1e-5, "F": ""]
        #expect(fields.map(\.description) == ["B: 1", "B: 2", "C: 3", "D: true", "E: 0.00001", "F: "])
    }

    @Test("Defaults fill in only the names that are missing")
    func merging() {
        let fields: HTTPFields = ["a": "1"]
        var merged = fields
        merged.merge(defaults: ["A": "2", "B": "3", "b": "4"])
        #expect(merged.map(\.value) == ["1", "3", "4"])
    }

    @Test("Fields can be removed by name and by what they are")
    func removing() {
        var fields: HTTPFields = ["A": "1", "B": .secret("2"), "a": "3", "C": "4"]
        fields.removeAll("A")
        #expect(fields.map(\.value) == ["2", "4"])
        fields.removeAll(where: \.isSecret)
        #expect(fields.map(\.value) == ["4"])
    }

    @Test("Credentials are secret by their name", arguments: ["Authorization", "proxy-authorization", "COOKIE", "set-cookie"])
    func credentials(name: String) {
        let fields: HTTPFields = [HTTPField.Name(name): "hunter22", "Accept": "x"]
        #expect(fields.map(\.isSecret) == [true, false])
        #expect(!everythingShown(of: fields).contains("hunter22"))
        #expect("\(fields)" == "\(name): ***\nAccept: x")
    }

    @Test("A value marked as secret stays one when it is replaced")
    func secretReplaced() {
        var fields: HTTPFields = ["X-Api-Key": .secret("hunter22")]
        fields["x-api-key"] = "hunter23"
        #expect(fields.first?.isSecret == true)
        #expect(!everythingShown(of: fields).contains("hunter2") && !everythingShown(of: fields.first as Any).contains("hunter2"))
    }

    @Test("An answer's fields, read when they are asked for, are fields like any others")
    func received() {
        let lines = "Content-Type: text/plain\nX-A: 1\nx-a: 2\nSet-Cookie: a=b\n"
        var received = HTTPFields(ReceivedFields(Array(lines.utf8)))
        let own: HTTPFields = ["Content-Type": "text/plain", "X-A": "1", "x-a": "2", "Set-Cookie": "a=b"]
        #expect(received == own && received.hashValue == own.hashValue && received.count == 4)
        #expect(received["x-A"] == "1, 2" && received[values: "X-a"] == ["1", "2"] && received.contains(.contentType))
        #expect(received["X"] == nil && received[values: "X-A-B"].isEmpty && !received.contains("text/plain"))
        #expect(received.last?.isSecret == true)
        let copy = received
        received["X-A"] = "3"
        received.append(HTTPField(name: "Y", value: "4"))
        #expect(received.map(\.value) == ["text/plain", "3", "a=b", "4"] && copy == own)
    }

    @Test("A field that is set as a secret is one, also where it was none, and goes with nil")
    func secret() {
        var fields: HTTPFields = ["X-Api-Key": "old", "X-Other": "a"]
        fields[secret: "x-api-key"] = "new"
        fields[secret: "X-Session"] = "s"
        #expect(fields.filter(\.isSecret).map(\.value) == ["new", "s"] && fields[secret: "X-Api-Key"] == "new")
        #expect(!"\(fields)".contains("new"))
        fields[secret: "X-Api-Key"] = nil
        #expect(fields.map(\.value) == ["a", "s"])
    }
}
