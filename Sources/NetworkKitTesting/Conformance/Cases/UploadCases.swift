internal import NetworkKit
internal import PlatformBase

extension TransportConformance {
    static let uploadCases = Area.uploads.cases([
        ConformanceRule("known-length", "RFC 9112 §6.2", "A body whose length is known has that length, and no other framing") { bench in
            for body in [RequestBody.data(Data("hello".utf8)), .stream(Pieces("he", "llo"), length: 5)] {
                let sent = try await bench.sent(body)
                try expect("Content-Length", sent.headers[values: .contentLength], is: ["5"])
                try expect("Transfer-Encoding", sent.headers[values: .transferEncoding], is: [])
                try expect("the body", sent.text, is: "hello")
            }
        },
        ConformanceRule("unknown-length", "RFC 9112 §6.1", "A body of unknown length is chunked, and has no other framing") { bench in
            let sent = try await bench.sent(.stream(Pieces("he", "", "llo")))
            try expect("Content-Length", sent.headers[values: .contentLength], is: [])
            try expect("Transfer-Encoding", sent.headers[values: .transferEncoding], is: ["chunked"])
            try expect("the body", sent.text, is: "hello")
        },
        ConformanceRule("empty-stream", "RFC 9112 §6.3", "A stream without a byte has exactly one framing") { bench in
            for body in [RequestBody.stream(Pieces()), .stream(Pieces(), length: 0)] {
                let sent = try await bench.sent(body)
                let framings = sent.headers[values: .contentLength] + sent.headers[values: .transferEncoding]
                try expect(framings == ["0"] || framings == ["chunked"], "the framings are \(framings)")
                try expect("the body", sent.body, is: Data())
            }
        },
        ConformanceRule("own-length", "RFC 9110 §8.6", "A length of the caller's own gives a stream its length, and is sent once") {
            bench in
            for body in [RequestBody.data(Data("hello".utf8)), .stream(Pieces("hello"))] {
                let sent = try await bench.sent(body, headers: ["Content-Length": "5"])
                try expect("Content-Length", sent.headers[values: .contentLength], is: ["5"])
                try expect("Transfer-Encoding", sent.headers[values: .transferEncoding], is: [])
            }
        },
        ConformanceRule("length-zero", "RFC 9110 §8.6", "POST, PUT and PATCH without a body say a length of 0") { bench in
            for method in [HTTPMethod.post, .put, .patch] {
                for body in [nil, RequestBody.data(Data(), contentType: nil)] {
                    let sent = try await bench.sent(body, method)
                    try expect("Content-Length of \(method)", sent.headers[values: .contentLength], is: ["0"])
                    try expect("Transfer-Encoding", sent.headers[values: .transferEncoding], is: [])
                }
            }
        },
        ConformanceRule("no-length-unasked", "RFC 9110 §8.6", "GET, HEAD and DELETE without a body have no framing") { bench in
            for method in [HTTPMethod.get, .head, .delete, .options] {
                let sent = try await bench.sent(nil, method)
                let framings = sent.headers[values: .contentLength] + sent.headers[values: .transferEncoding]
                try expect("the framings of \(method)", framings, is: [])
            }
        },
        ConformanceRule("no-content-type", "RFC 9110 §8.3", "No Content-Type of the transport's own making is sent") { bench in
            for body in [nil, RequestBody.data(Data("a=1".utf8), contentType: nil), .stream(Pieces("a=1"), contentType: nil)] {
                try expect("Content-Type", try await bench.sent(body).headers[values: .contentType], is: [])
            }
            let own = try await bench.sent(.data(Data("{}".utf8)), headers: ["Content-Type": "application/json"])
            try expect("Content-Type", own.headers[values: .contentType], is: ["application/json"])
        },
        ConformanceRule("no-expect", "RFC 9110 §10.1.1", "Expect is never added unasked, however long the body is") { bench in
            let long = Data(count: 3 << 20)
            for body in [RequestBody.data(long), .stream(Pieces(long))] {
                try expect("Expect", try await bench.sent(body).headers[values: .expect], is: [])
            }
        },
        ConformanceRule("short-stream", "RFC 9110 §8.6", "A stream with fewer bytes than promised is an error and no whole request") {
            bench in
            try await bench.expectBroken(.stream(Pieces("hello"), length: 10))
        },
        ConformanceRule("long-stream", "RFC 9110 §8.6", "A stream with more bytes than promised is an error, and they aren't sent") {
            bench in
            let server = try await bench.expectBroken(.stream(Pieces("hello", "hello", "hello"), length: 10), mayBeWhole: true)
            try expect("the requests", server.requestCount <= 1 && server.malformedRequests.isEmpty, is: true)
        },
        ConformanceRule("failing-stream", "RequestBody.stream(_:)", "An error in a stream ends the request, which isn't whole") { bench in
            for length in [nil, 10 as Int64?] {
                try await bench.expectBroken(.stream(Pieces("hello", fails: true), length: length))
            }
        },
        ConformanceRule("streamed-upload", "RequestBody.stream(_:)", "The server gets the first piece before the last is made") { bench in
            let (stream, pieces) = AsyncStream<Data>.makeStream()
            let server = try await bench.serve { routes in
                routes.stream(.post, "/") { exchange in
                    _ = try await exchange.readChunk()
                    pieces.yield(Data("second".utf8))
                    pieces.finish()
                    try await exchange.sendHead(200)
                    while let chunk = try await exchange.readChunk() { try await exchange.send(chunk) }
                }
            }
            pieces.yield(Data("first".utf8))
            try expect("the rest", try await bench.answer(server.baseURL, .post, body: .stream(stream)).text, is: "second")
        },
        ConformanceRule("duplex-echo", "RFC 9112 §9.3.2", "What is sent comes back while it is still being sent") { bench in
            let server = try await bench.serve { routes in
                routes.stream(.post, "/") { exchange in
                    try await exchange.sendHead(200)
                    while let chunk = try await exchange.readChunk() { try await exchange.send(chunk) }
                }
            }
            let (stream, pieces) = AsyncStream<Data>.makeStream()
            let response = try await bench.send(server.baseURL, .post, body: .stream(stream))
            var iterator = response.body.makeAsyncIterator()
            for word in ["one", "two", "three"] {
                pieces.yield(Data(word.utf8))
                try expect("the echo", try await iterator.next(), is: Data(word.utf8))
            }
            pieces.finish()
            try expect("the end", try await iterator.next(), is: nil)
        },
        ConformanceRule("early-answer", "RFC 9112 §9.5", "An answer before the upload's end is the answer, whatever the server then does") {
            bench in
            for manner in EarlyAnswer.allCases {
                let server = try await bench.serve { routes in routes.stream(.post, "/") { try await manner.play($0) } }
                let answer = try await bench.answer(server.baseURL, .post, body: .data(Data(count: 20 << 20)))
                try expect("the status", answer.code, is: 413)
                try expect("the body", answer.text, is: "too large")
            }
        },
        ConformanceRule("early-answer-to-stream", "RFC 9112 §9.5", "An answer before a stream's end is whole, though the stream goes on") {
            bench in
            for manner in EarlyAnswer.allCases {
                let (stream, pieces) = AsyncStream<Data>.makeStream()
                defer { pieces.finish() }
                let server = try await bench.serve { routes in routes.stream(.post, "/") { try await manner.play($0) } }
                pieces.yield(Data("the first of many".utf8))
                let answer = try await bench.answer(server.baseURL, .post, body: .stream(stream))
                try expect("the status", answer.code, is: 413)
                try expect("the body", answer.text, is: "too large")
            }
        },
    ])
}

/// What a server does that answers before it has the whole request.
private enum EarlyAnswer: CaseIterable {
    case readsOn, closes, waits

    func play(_ exchange: LoopbackExchange) async throws {
        _ = try await exchange.readChunk()
        try await exchange.sendHead(413, self == .closes ? ["Content-Length": "9", "Connection": "close"] : ["Content-Length": "9"])
        try await exchange.send("too large")
        switch self {
        case .readsOn: while try await exchange.readChunk() != nil {}
        case .closes: break
        case .waits: try await exchange.request.waitForClientToClose()
        }
        try await exchange.finish()
    }
}
