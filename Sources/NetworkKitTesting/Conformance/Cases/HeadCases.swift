internal import NetworkKit
internal import PlatformBase

extension TransportConformance {
    static let headCases = Area.heads.cases([
        ConformanceRule("no-reason-phrase", "RFC 9112 §4", "A status line without a reason phrase is read") { bench in
            for line in ["HTTP/1.1 200", "HTTP/1.1 200 "] {
                let answer = try await bench.answer(toGetting: "\(line)\r\nContent-Length: 2\r\n\r\nok")
                try expect("the status", answer.code, is: 200)
                try expect("the body", answer.text, is: "ok")
            }
        },
        ConformanceRule("field-name-case", "RFC 9110 §5.1", "The case of a field's name doesn't count") { bench in
            let answer = try await bench.answer(toGetting: "HTTP/1.1 200 OK\r\ncOnTeNt-LeNgTh: 2\r\nX-ODD: yes\r\n\r\nok and more")
            try expect("the body", answer.text, is: "ok")
            try expect("x-odd", answer.response.headers["x-odd"], is: "yes")
        },
        ConformanceRule("bare-line-feeds", "RFC 9112 §2.2", "Lines that end with a line feed alone are read") { bench in
            let answer = try await bench.answer(toGetting: "HTTP/1.1 200 OK\nContent-Length: 2\nX-A: 1\n\nok")
            try expect("X-A", answer.response.headers["X-A"], is: "1")
            try expect("the body", answer.text, is: "ok")
        },
        ConformanceRule("repeated-fields", "RFC 9110 §5.3", "Fields of one name are kept apart and in order") { bench in
            let answer = try await bench.answer(
                toGetting: "HTTP/1.1 200 OK\r\nLink: <a>; x=\"1, 2\"\r\nX-A: 1\r\nlink: <b>\r\nContent-Length: 0\r\n\r\n")
            try expect("Link", answer.response.headers[values: .link], is: ["<a>; x=\"1, 2\"", "<b>"])
        },
        ConformanceRule("set-cookie-apart", "RFC 6265 §3", "Set-Cookie fields are never joined") { bench in
            let cookies = ["a=1; Expires=Sun, 16 Aug 2026 10:00:00 GMT", "b=2"]
            let lines = cookies.map { "Set-Cookie: \($0)\r\n" }.joined()
            let answer = try await bench.answer(toGetting: "HTTP/1.1 200 OK\r\n\(lines)Content-Length: 0\r\n\r\n")
            try expect("Set-Cookie", answer.response.headers[values: .setCookie], is: cookies)
        },
        ConformanceRule("empty-fields", "RFC 9110 §5.5", "A field without a value is there, and empty") { bench in
            let answer = try await bench.answer(toGetting: "HTTP/1.1 200 OK\r\nX-Empty:\r\nX-Blank: \t \r\nContent-Length: 0\r\n\r\n")
            try expect("X-Empty", answer.response.headers["X-Empty"], is: "")
            try expect("X-Blank", answer.response.headers["X-Blank"], is: "")
        },
        ConformanceRule("obs-text", "RFC 9110 §5.5", "Bytes of a field that are no UTF-8 are kept, read as Latin-1") { bench in
            let raw = Data("HTTP/1.1 200 Ma".utf8) + [0xDF] + Data("\r\nX-Latin: M".utf8) + [0xFC]
            let answer = try await bench.answer(
                toGetting: raw + Data("ller\r\nX-Text: 沙\r\nX-Plain: yes\r\nContent-Length: 2\r\n\r\nok".utf8))
            try expect("X-Latin", answer.response.headers["X-Latin"], is: "Müller")
            try expect("X-Text", answer.response.headers["X-Text"], is: "沙")
            try expect("X-Plain", answer.response.headers["X-Plain"], is: "yes")
        },
        ConformanceRule("obs-fold", "RFC 9112 §5.2", "A folded line is joined with a space") { bench in
            let answer = try await bench.answer(
                toGetting: "HTTP/1.1 200 OK\r\nX-Folded: one\r\n  two\r\nContent-Length: 2\r\n\r\nok")
            try expect("X-Folded", answer.response.headers["X-Folded"], is: "one two")
        },
        ConformanceRule("interim-responses", "RFC 9110 §15.2", "Interim responses are given, in order, and not taken for the answer") {
            bench in
            let server = try await bench.serve { routes in
                routes.get("/") { _ in .text("final").interim(103, ["Link": "</a.css>"]).interim(102) }
            }
            let answer = try await bench.answer(server.baseURL)
            try expect("the status", answer.code, is: 200)
            try expect("the interim statuses", answer.response.interim.map(\.status.code), is: [103, 102])
            try expect("the first one's Link", answer.response.interim.first?.headers[.link], is: "</a.css>")
            try expect(!answer.response.headers.contains(.link), "a field of an interim response is among those of the answer")
            try expect("the body", answer.text, is: "final")
        },
        ConformanceRule("unasked-continue", "RFC 9110 §15.2", "A 100 that nobody asked for is passed over") { bench in
            let answer = try await bench.answer(
                toGetting: "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 100\r\n\r\nHTTP/1.1 201 Created\r\nContent-Length: 2\r\n\r\nok")
            try expect("the status", answer.code, is: 201)
            try expect("the body", answer.text, is: "ok")
        },
        ConformanceRule("http-1.0", "RFC 9112 §9.3", "An answer in HTTP/1.0 is read to the connection's end") { bench in
            let answer = try await bench.answer(toGetting: "HTTP/1.0 200 OK\r\n\r\nold but good")
            try expect("the body", answer.text, is: "old but good")
        },
        ConformanceRule("not-http", "RFC 9112 §4", "What doesn't begin with a status line is an error") { bench in
            try await bench.expectRefusal(of: "220 mail.example ESMTP\r\n", "a greeting of SMTP")
            try await bench.expectRefusal(of: "<html>hello</html>", "an answer of HTTP/0.9")
        },
        ConformanceRule("not-http-named", "RequestError.Connection.Kind", "What is no HTTP is a malformed answer by its name") { bench in
            let url = try await bench.serve(raw: Data("220 mail.example ESMTP\r\n".utf8)).baseURL
            let error = try await bench.failure("the request") { () async throws(RequestError) in try await bench.answer(url) }
            try expect("the kind of failure", error.connectionKind, is: .malformed)
        },
        ConformanceRule("large-head", "RFC 9110 §5.4", "Long fields, and many, are read") { bench in
            let long = String(repeating: "x", count: 30_000)
            let many = (0..<500).map { "X-Many: \($0)\r\n" }.joined()
            let answer = try await bench.answer(toGetting: "HTTP/1.1 200 OK\r\nX-Long: \(long)\r\n\(many)Content-Length: 2\r\n\r\nok")
            try expect("the length of X-Long", answer.response.headers["X-Long"]?.count, is: 30_000)
            try expect("the number of X-Many", answer.response.headers[values: "X-Many"].count, is: 500)
        },
        ConformanceRule("endless-field", "RFC 9110 §5.4", "A field without an end is an error, before it fills the memory") { bench in
            try await bench.expectEndlessRefused("x", "a field without an end")
        },
        ConformanceRule("endless-head", "RFC 9110 §5.4", "Fields without an end are an error, before they fill the memory") { bench in
            try await bench.expectEndlessRefused("y\r\nX-Next: \(String(repeating: "z", count: 89))", "a head without an end")
        },
        ConformanceRule("head-before-body", "Transport.send(_:)", "The head of a stream is given before its body comes") { bench in
            let gate = LoopbackGate()
            let server = try await bench.serve { routes in
                routes.stream(.get, "/") { exchange in
                    try await exchange.sendHead(200)
                    await gate.wait()
                    try await exchange.send("late")
                }
            }
            let response = try await bench.send(server.baseURL)
            gate.open()
            try expect("the body", try await response.body.collect(upTo: 100), is: Data("late".utf8))
        },
    ])
}

extension ConformanceBench {
    /// The server sends 48 MiB of head and then waits: by then a client must have given up.
    fileprivate func expectEndlessRefused(_ piece: String, _ what: String) async throws {
        let block = Data(String(repeating: piece, count: (64 << 10) / piece.utf8.count).utf8)
        let server = try await serve { routes in
            routes.stream(.get, "/") { exchange in
                try await exchange.sendRaw("HTTP/1.1 200 OK\r\nX-Long: ")
                for _ in 0..<768 { try await exchange.sendRaw(block) }
                try await exchange.request.waitForClientToClose()
            }
        }
        _ = try await failure(what) { () async throws(RequestError) in try await self.answer(server.baseURL) }
    }
}
