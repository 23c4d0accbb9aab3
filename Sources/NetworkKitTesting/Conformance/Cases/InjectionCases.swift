internal import NetworkKit
internal import PlatformBase

extension TransportConformance {
    static let injectionCases = Area.injection.cases([
        ConformanceRule("method-injection", "RFC 9110 §9.1", "A method that could smuggle a request is refused, and nothing sent") {
            bench in
            for name in ["GET / HTTP/1.1\r\nX: y\r\n\r\nGET", "GE T", "", "GET\n", "GÉT", "G\u{0}T", "CONNECT"] {
                try await bench.expectUnsent("the method \(Token.quoted(name))") { (request) throws(RequestError) in
                    request.method = try HTTPMethod(name: name)
                }
            }
        },
        ConformanceRule("field-name-injection", "RFC 9110 §5.1", "A field name that could smuggle a field is refused, and nothing sent") {
            bench in
            for name in ["X\r\nY", "X Y", "X:", "", "Ü", "X\u{0}", "X\n", " X"] {
                try await bench.expectUnsent("the field name \(Token.quoted(name))") {
                    $0.headers = HTTPFields([HTTPField(name: .init(name), value: "v")])
                }
            }
        },
        ConformanceRule("field-value-injection", "RFC 9110 §5.5", "A field value that could begin another is refused, and nothing sent") {
            bench in
            for value in ["a\r\nX-Evil: 1", "a\nb", "a\rb", "a\u{0}b", "\r\n\r\nGET / HTTP/1.1"] {
                try await bench.expectUnsent("the field value \(Token.quoted(value))") { $0.headers = ["X-A": value] }
            }
        },
        ConformanceRule("framing-contradiction", "RFC 9112 §6.2", "A framing that contradicts the body is refused, and nothing sent") {
            bench in
            for value in ["4", "6", "-5", "five", "5, 5", "+5", "99999999999999999999"] {
                try await bench.expectUnsent("a Content-Length of \(value) for 5 bytes") {
                    $0.headers = ["Content-Length": value]
                    $0.body = .data(Data("hello".utf8))
                    $0.method = .post
                }
            }
            try await bench.expectUnsent("a Transfer-Encoding of gzip, chunked") {
                $0.headers = ["Transfer-Encoding": "gzip, chunked"]
                $0.body = .data(Data("hello".utf8))
                $0.method = .post
            }
        },
        ConformanceRule("one-framing", "RFC 9112 §6.2", "Framing fields of the caller's own don't come on top of the transport's") {
            bench in
            for body in [RequestBody.data(Data("hello".utf8)), .stream(Pieces("hello"))] {
                let sent = try await bench.sent(body, headers: ["Transfer-Encoding": "chunked"])
                let framings = sent.headers[values: .contentLength] + sent.headers[values: .transferEncoding]
                try expect(framings == ["5"] || framings == ["chunked"], "the framings are \(framings)")
                try expect("the body", sent.text, is: "hello")
            }
        },
        ConformanceRule("trace-with-body", "RFC 9110 §9.3.8", "TRACE and HEAD with a body are refused, and nothing sent") { bench in
            for method in [HTTPMethod.trace, .head] {
                try await bench.expectUnsent("\(method) with a body") {
                    $0.method = method
                    $0.body = .data(Data("x".utf8))
                }
            }
        },
        ConformanceRule("foreign-schemes", "RFC 9110 §4.2", "Only http and https are asked") { bench in
            for text in ["ftp://127.0.0.1/", "file:///etc/hostname", "gopher://127.0.0.1/", "data:,x"] {
                let url = try bench.url(text)
                let error = try await bench.failure(text) { () async throws(RequestError) in try await bench.answer(url) }
                guard case .invalidURL = error else { throw ConformanceFailure("\(text) failed in another way: \(error)") }
            }
        },
        ConformanceRule("fields-as-given", "RFC 9110 §5.3", "Fields go out in order, in their case, repeated and empty ones too") { bench in
            let given = HTTPFields([
                HTTPField(name: "X-B", value: "1"), HTTPField(name: "x-a", value: "2"), HTTPField(name: "X-Empty", value: ""),
                HTTPField(name: "X-B", value: "3"), HTTPField(name: "X-Text", value: "Md6-大麦"), HTTPField(name: "X-Long", value: long),
            ])
            let sent = try await bench.sent(nil, .get, headers: given)
            try expect("the fields", sent.headers.filter { given.contains($0.name) }.map { "\($0.name): \($0.value)" }, is: given.pairs)
        },
        ConformanceRule("nothing-added", "Transport", "No field is sent but those given and those that HTTP and decoding need") { bench in
            let sent = try await bench.sent(nil, .get, headers: ["X-A": "1"])
            let needed: Set<HTTPField.Name> = ["Host", "X-A", .acceptEncoding, .connection]
            let added = sent.headers.map(\.name).filter { !needed.contains($0) }.map(\.rawName)
            try expect("the fields added", added, is: [])
        },
    ])

    private static let long = String(repeating: "v", count: 8000)
}

extension ConformanceBench {
    /// Fails the case unless a request is refused as one that can't be put into bytes, and none of it reaches the server.
    fileprivate func expectUnsent(_ what: String, _ change: (inout HTTPRequest) throws(RequestError) -> Void) async throws {
        let server = try await serve { routes in routes.fallback { _ in .text("reached") } }
        let url = server.baseURL
        let error = try await failure(what) { () async throws(RequestError) in
            var request = HTTPRequest(url: url)
            try change(&request)
            return try await self.transport.send(request)
        }
        guard case .encode = error else { throw ConformanceFailure("\(what) was refused in another way: \(error)") }
        try expect("the connections for \(what)", server.connectionCount, is: 0)
    }
}
