import Foundation
import NetworkKitTesting
import Testing

@testable import NetworkKit

@Suite("Forms of parts")
struct MultipartTests {
    /// The body as it is sent.
    private func bytes(_ body: RequestBody) async throws -> Data {
        var data = Data()
        for try await chunk in body.chunks() { data += chunk }
        return data
    }

    private func text(_ form: MultipartForm) async throws -> String {
        String(decoding: try await bytes(.multipart(form)), as: UTF8.self)
    }

    private func chunks(_ texts: String...) -> AsyncStream<Data> {
        let data = texts.map { Data($0.utf8) }
        return AsyncStream { continuation in
            for piece in data { continuation.yield(piece) }
            continuation.finish()
        }
    }

    /// A file with these bytes, while `body` runs.
    private func withFile<Result>(_ name: String, _ data: Data, _ body: (URL) async throws -> Result) async throws -> Result {
        let folder = URL(filePath: NSTemporaryDirectory()).appending(path: "multipart-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: name)
        try data.write(to: file)
        return try await body(file)
    }

    @Test("Parts are written as RFC 7578 says, in order")
    func layout() async throws {
        let form = MultipartForm(
            [
                .text("title", "Hölidäy"), .json("place", ["lat": 1]), .data("raw", Data([0, 255])),
                .data("file", Data("x".utf8), fileName: "x.txt", contentType: "text/plain"),
                .init("extra", .data(Data("y".utf8), contentType: "a/b"), headers: ["Content-Type": "c/d", "X-Part": "1"]),
            ], boundary: "B")
        let expected =
            "--B\r\nContent-Disposition: form-data; name=\"title\"\r\n\r\nHölidäy\r\n"
            + "--B\r\nContent-Disposition: form-data; name=\"place\"\r\nContent-Type: application/json\r\n\r\n{\"lat\":1}\r\n"
            + "--B\r\nContent-Disposition: form-data; name=\"raw\"\r\nContent-Type: application/octet-stream\r\n\r\n"
        let rest =
            "\r\n--B\r\nContent-Disposition: form-data; name=\"file\"; filename=\"x.txt\"\r\nContent-Type: text/plain\r\n\r\nx\r\n"
            + "--B\r\nContent-Disposition: form-data; name=\"extra\"\r\nContent-Type: c/d\r\nX-Part: 1\r\n\r\ny\r\n--B--\r\n"
        #expect(try await bytes(.multipart(form)) == Data(expected.utf8) + Data([0, 255]) + Data(rest.utf8))
        #expect(try await text(MultipartForm([], boundary: "B")) == "--B--\r\n")
    }

    /// Name, file name, and both as they are sent.
    private static let names: [(String, String?, String, String?)] = [
        ("plain", nil, "plain", nil), ("a\"b", "q\"x.pdf", "a%22b", "q%22x.pdf"), ("a\nb", "a\nb", "a%0D%0Ab", "a%0Ab"),
        ("a\rb", "a\rb", "a%0D%0Ab", "a%0Db"), ("a\r\nb", "a\r\nb", "a%0D%0Ab", "a%0D%0Ab"),
        ("a\n\rb", "a\n\rb", "a%0D%0A%0D%0Ab", "a%0A%0Db"),
        ("a\0b", "b\0c", "a\0b", "b\0c"), ("ü'\\%22", "日本.txt", "ü'\\%22", "日本.txt"), ("", "", "", ""),
    ]

    @Test("Names and file names are escaped as browsers do", arguments: names)
    func escaping(name: String, fileName: String?, sent: String, sentFile: String?) async throws {
        let text = try await text(MultipartForm([.data(name, Data(), fileName: fileName)], boundary: "B"))
        let file = sentFile.map { "; filename=\"\($0)\"" } ?? ""
        #expect(text.hasPrefix("--B\r\nContent-Disposition: form-data; name=\"\(sent)\"\(file)\r\nContent-Type:"))
    }

    @Test(
        "Every kind of line end in a text becomes CRLF, and bytes stay as they are",
        arguments: [
            ("a\nb", "a\r\nb"), ("a\rb", "a\r\nb"), ("a\r\nb", "a\r\nb"), ("\n\r", "\r\n\r\n"), ("\r\r\n\n", "\r\n\r\n\r\n"), ("", ""),
            ("\n\u{301}é\u{85}\u{2028}\r", "\r\n\u{301}é\u{85}\u{2028}\r\n"), ("plain", "plain"),
        ])
    func lineEnds(text: String, sent: String) async throws {
        let head = "--B\r\nContent-Disposition: form-data; name=\"t\"\r\n\r\n"
        let written = try await bytes(.multipart(MultipartForm([.text("t", text)], boundary: "B")))
        #expect(written == Data("\(head)\(sent)\r\n--B--\r\n".utf8))
        let data = MultipartForm([.data("t", Data(text.utf8), contentType: nil)], boundary: "B")
        #expect(try await bytes(.multipart(data)) == Data("\(head)\(text)\r\n--B--\r\n".utf8))
    }

    @Test("The collected names of browsers' tests")
    func suite() async throws {
        struct Suite: Decodable { var cases: [Case] }
        struct Case: Decodable { var name, filename, value, wire_name, wire_filename, what: String? }
        guard let data = SharedSuite.data("multipart-formdata.json") else {
            print("multipart-formdata.json isn't there; the table above stands for it")
            return
        }
        let cases = try JSONDecoder().decode(Suite.self, from: data).cases
        #expect(!cases.isEmpty)
        for test in cases {
            let value = test.value ?? ""
            let part = MultipartForm.Part.data(test.name ?? "", Data(value.utf8), fileName: test.filename, contentType: nil)
            let file = test.wire_filename.map { "; filename=\"\($0)\"" } ?? ""
            // Bytes go out unchanged; only a text's line ends become those of a form.
            let expected = "--B\r\nContent-Disposition: form-data; name=\"\(test.wire_name ?? "")\"\(file)\r\n\r\n\(value)\r\n--B--\r\n"
            #expect(try await text(MultipartForm([part], boundary: "B")) == expected, "\(test.what ?? "")")
        }
    }

    @Test("The length is exact when every part knows its own, and unknown otherwise")
    func length() async throws {
        let big = Data(repeating: 7, count: 100_000)
        try await withFile("f.bin", big) { file in
            for parts: [MultipartForm.Part] in [
                [], [.text("a", "ü")], [.data("big", big), .text("b", "c")], [.text("a", ""), .file("f", file), .data("d", big)],
                [.stream("s", chunks("abc", "de"), length: 5)],
            ] {
                let body = RequestBody.multipart(MultipartForm(parts))
                let count = try await bytes(body).count
                #expect(count == body.length.map(Int.init))
            }
        }
        #expect(RequestBody.multipart([.stream("s", chunks("abc"))]).length == nil)
        let json = try RequestBody.multipart([.json("j", [1, 2])]).encoded(by: .json)
        #expect(try await bytes(json).count == json.length.map(Int.init))
    }

    @Test("A form can be sent again when every part can")
    func replay() async throws {
        try await withFile("f.bin", Data("file".utf8)) { file in
            let body = RequestBody.multipart([.file("f", file), .json("j", 1), .text("t", "x")])
            #expect(body.isReplayable)
            let (first, second) = (try await bytes(body), try await bytes(body))
            #expect(first == second)
        }
        let once = RequestBody.multipart([.stream("s", chunks("abc")), .text("t", "x")])
        #expect(!once.isReplayable && !once.isSpent)
        _ = try await bytes(once)
        #expect(once.isSpent)
        await #expect(throws: RequestError.self) { try await bytes(once) }
        #expect(!RequestBody.multipart([.stream("s", chunks("abc")), .json("j", 1)]).isReplayable)
    }

    @Test("A stream that has more or fewer bytes than it said is an error that names the part", arguments: [2, 4])
    func wrongLength(_ length: Int64) async throws {
        let body = RequestBody.multipart([.stream("upload", chunks("abc"), length: length), .text("t", "x")])
        let error = await #expect(throws: RequestError.self) { try await bytes(body) }
        guard case .encode(let details)? = error else { return #expect(Bool(false), "\(String(describing: error))") }
        #expect(details.reason.contains("upload"))
    }

    @Test("Boundaries differ, are valid, and go into Content-Type; one that occurs or is malformed is refused")
    func boundary() async throws {
        let forms = (0..<100).map { _ in MultipartForm([]) }
        #expect(Set(forms.map(\.boundary)).count == 100)
        #expect(forms.allSatisfy { MultipartBoundary.isValid($0.boundary) })
        let form = forms[0]
        #expect(RequestBody.multipart(form).contentType == "multipart/form-data; boundary=\(form.boundary)")
        #expect(RequestBody.multipart(MultipartForm([], boundary: "a b:c")).contentType == "multipart/form-data; boundary=\"a b:c\"")
        for boundary in ["", "a ", "ü", "a\r\nb", "a\"b", String(repeating: "x", count: 71)] {
            await #expect(throws: RequestError.self) { try await text(MultipartForm([.text("a", "b")], boundary: boundary)) }
        }
        await #expect(throws: RequestError.self) { try await text(MultipartForm([.text("a", "x--B")], boundary: "B")) }
        #expect(try await text(MultipartForm([.text("a", "B")], boundary: "B")).contains("\r\n\r\nB\r\n--B--"))
    }

    @Test("A part's field that would break its head, a missing file, and a value that doesn't encode end the call")
    func faults() async {
        struct Bad: Encodable { func encode(to encoder: any Encoder) throws { throw RequestError.unknown() } }
        let stub = StubTransport(.status(200))
        let client = NetworkClient(session: HTTPSession(transport: stub))
        for part: MultipartForm.Part in [
            .data("a", Data(), contentType: "a/b\r\nX: y"), .init("a", .data(Data()), headers: ["X Y": "z"]),
            .file("f", URL(filePath: "/nonexistent/file")), .json("j", Bad()),
        ] {
            let error = await client.data(for: SampleEndpoint(method: .post, body: .multipart([.text("t", "x"), part]))).failure
            switch error {
            case .encode, .file: break
            default: Issue.record("\(String(describing: error))")
            }
        }
        #expect(stub.requests.isEmpty)
    }

    @Test("What is secret in a part is masked where the call is described")
    func secrets() throws {
        let body = RequestBody.multipart([.init("password", .data(Data("hunter22".utf8), contentType: nil).hiding("hunter22"))])
        let request = try HTTPRequest(SampleEndpoint(method: .post, body: body))
        #expect(request.allSecrets.masking("it is hunter22") == "it is ***")
    }

    @Test("Over a socket a form arrives whole, with its length, also after a redirect that asks for it again")
    func socket() async throws {
        let photo = Data((0..<300_000).map { UInt8($0 % 251) })
        try await withFile("photo.jpg", photo) { file in
            try await LoopbackServer.with { routes in
                routes.post("/old") { _ in .status(307, headers: ["Location": "/new"]) }
                routes.post("/new") { request in .text("\(try await request.body().count)") }
            } perform: { server in
                let form = MultipartForm([.json("meta", ["a": 1]), .file("photo", file, contentType: "image/jpeg")])
                let body = RequestBody.multipart(form)
                let expected = try await bytes(body)
                #expect(try await TestClient().text(server.call("/old", .post, body: body)) == "\(expected.count)")
                for request in server.requests {
                    #expect(request.body == expected)
                    #expect(request.headers[.contentLength] == "\(expected.count)")
                    #expect(request.headers[.contentType] == "multipart/form-data; boundary=\(form.boundary)")
                }
            }
        }
    }
}
