internal import NetworkKit
internal import PlatformBase

extension TransportConformance {
    /// Bodies that are still being sent when the answer comes.
    static let duplexCases = Area.uploads.cases([
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
                let server = try await bench.serve(limits: EarlyAnswer.limits) { routes in
                    routes.stream(.post, "/") { try await manner.play($0) }
                }
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
                let server = try await bench.serve(limits: EarlyAnswer.limits) { routes in
                    routes.stream(.post, "/") { try await manner.play($0) }
                }
                pieces.yield(Data("the first of many".utf8))
                let answer = try await bench.answer(server.baseURL, .post, body: .stream(stream))
                try expect("the status", answer.code, is: 413)
                try expect("the body", answer.text, is: "too large")
            }
        },
        ConformanceRule("early-success", "RFC 9112 §9.5", "An early answer that refuses nothing doesn't end the request's body") { bench in
            let server = try await bench.serve { routes in
                routes.stream(.post, "/") { exchange in
                    _ = try await exchange.readChunk()
                    try await exchange.sendHead(202, ["Content-Length": "5"])
                    try await exchange.send("taken")
                    while try await exchange.readChunk() != nil {}
                }
            }
            let (stream, pieces) = AsyncStream<Data>.makeStream()
            pieces.yield(Data("first, ".utf8))
            let response = try await bench.send(server.baseURL, .post, body: .stream(stream))
            var iterator = response.body.makeAsyncIterator()
            try expect("the body", try await iterator.next(), is: Data("taken".utf8))
            pieces.yield(Data("second".utf8))
            pieces.finish()
            try expect("the end", try await iterator.next(), is: nil)
            await server.waitForAnswers(1)
            try expect("what was sent", server.requests.first?.text, is: "first, second")
            try expect("whether the server has all", server.requests.first?.isComplete, is: true)
        },
    ])
}

/// What a server does that answers before it has the whole request.
private enum EarlyAnswer: CaseIterable {
    case readsOn, closes, waits

    /// A server that closes reads on for a while, as RFC 9112 §9.6 asks: RST could take the answer from the client.
    static let limits: LoopbackServer.Limits = {
        var limits = LoopbackServer.Limits()
        limits.drainedBodySize = 64 << 20
        return limits
    }()

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
