internal import NetworkKit
internal import PlatformBase

extension TransportConformance {
    static let timeCases = Area.time.cases([
        ConformanceRule(
            "silence-before-head", "RequestOptions.timeout", "A server that says nothing ends the request, never early", demanding: true
        ) {
            bench in
            let server = try await bench.serve { routes in routes.any("/") { _ in .stalled } }
            for (method, delivery) in [(HTTPMethod.get, CallContext.Delivery.stream), (.post, .value)] {
                try await bench.expectTimeout(.milliseconds(300)) { () async throws(RequestError) in
                    try await bench.answer(
                        server.baseURL, method, body: method == .post ? .data(Data("x".utf8)) : nil,
                        options: .init(timeout: .milliseconds(300)), delivery: delivery)
                }
            }
        },
        ConformanceRule(
            "silence-in-body", "RequestOptions.timeout", "A server that falls silent in the body ends the request", demanding: true
        ) {
            bench in
            let server = try await bench.serve { routes in
                routes.get("/") { _ in .text("0123456789").stalling(afterBodyBytes: 5) }
            }
            for delivery in [CallContext.Delivery.stream, .value] {
                try await bench.expectTimeout(.milliseconds(300)) { () async throws(RequestError) in
                    try await bench.answer(server.baseURL, options: .init(timeout: .milliseconds(300)), delivery: delivery)
                }
            }
        },
        ConformanceRule("silence-again", "RequestOptions.timeout", "The timeout bounds each silence and not the whole", demanding: true) {
            bench in
            try await bench.unhurried { pace in
                let server = try await bench.serve { routes in
                    // Two silences in a row are longer than the timeout, and neither is.
                    routes.get("/") { _ in .text("0123456789").dripping(bytes: 4, every: .milliseconds(600 * pace)) }
                }
                let answer = try await bench.answer(server.baseURL, options: .init(timeout: .seconds(pace)))
                try expect("the body", answer.text, is: "0123456789")
            }
        },
        ConformanceRule("timeout-not-resent", "RequestOptions.timeout", "A request that timed out is sent once", demanding: true) { bench in
            let server = try await bench.serve { routes in
                routes.any("/warm") { _ in .text("warm") }
                routes.any("/") { _ in .stalled }
            }
            _ = try await bench.answer(server.url("/warm"))
            for method in [HTTPMethod.get, .post] {
                try await bench.expectTimeout(.milliseconds(200)) { () async throws(RequestError) in
                    try await bench.answer(server.baseURL, method, options: .init(timeout: .milliseconds(200)))
                }
            }
            try expect("the requests", server.requestCount, is: 3)
        },
        ConformanceRule(
            "connect-timeout", "RequestOptions.timeout", "A connection that nobody takes ends the request, never early", demanding: true
        ) {
            bench in
            let listener = try FullListener()
            try await bench.expectTimeout(.milliseconds(300)) { () async throws(RequestError) in
                try await bench.answer(listener.url, options: .init(timeout: .milliseconds(300)))
            }
            withExtendedLifetime(listener) {}
        },
        ConformanceRule("slow-reader", "RequestOptions.timeout", "A reader who takes its time is no silent server", demanding: true) {
            bench in
            try await bench.unhurried { pace in
                let server = try await bench.serve { routes in
                    routes.get("/") { _ in .generated(bytes: 8 << 20) }
                    routes.get("/later") { _ in .text("later").delayed(by: .milliseconds(900 * pace)) }
                }
                let response = try await bench.send(server.baseURL, options: .init(timeout: .milliseconds(600 * pace)))
                var iterator = response.body.makeAsyncIterator()
                var count = try await iterator.next()?.count ?? 0
                _ = try await bench.answer(server.url("/later"))
                while let piece = try await iterator.next() { count += piece.count }
                try expect("the length", count, is: 8 << 20)
            }
        },
        ConformanceRule(
            "slow-sender", "RequestOptions.timeout", "A body that takes its time to be made is no silent server", demanding: true
        ) {
            bench in
            try await bench.unhurried { pace in
                let server = try await bench.serve { routes in
                    routes.post("/") { request in .text(try await request.text()) }
                    routes.get("/later") { _ in .text("later").delayed(by: .milliseconds(900 * pace)) }
                }
                let (stream, pieces) = AsyncStream<Data>.makeStream()
                pieces.yield(Data("first, ".utf8))
                let options = RequestOptions(timeout: .milliseconds(600 * pace))
                async let answer = bench.answer(server.baseURL, .post, body: .stream(stream), options: options)
                _ = try await bench.answer(server.url("/later"))
                pieces.yield(Data("second".utf8))
                pieces.finish()
                try expect("the echo", try await answer.text, is: "first, second")
            }
        },
        ConformanceRule("huge-timeout", "RequestOptions.timeout", "A timeout of ages is one, and no crash") { bench in
            let server = try await bench.serve { routes in routes.get("/") { _ in .text("x").delayed(by: .milliseconds(50)) } }
            for timeout in [Duration.seconds(1_000_000_000_000), .seconds(Int64.max)] {
                try expect("the body", try await bench.answer(server.baseURL, options: .init(timeout: timeout)).text, is: "x")
            }
        },
    ])
}

extension ConformanceBench {
    /// Tries at several paces, each slower than the one before, as long as it ends in a timeout that shouldn't be: a machine that stands
    /// still for as long as the timeout is as silent as a server. A transport that counts wrongly does so at each.
    fileprivate func unhurried(_ check: (_ pace: Int) async throws -> Void) async throws {
        for pace in [1, 2] {
            do {
                return try await check(pace)
            } catch RequestError.timedOut {
                continue
            }
        }
        try await check(4)
    }

    fileprivate func expectTimeout(
        _ timeout: Duration, of work: @escaping @Sendable () async throws(RequestError) -> Answer
    ) async throws {
        let start = ContinuousClock.now
        let error = try await failure("the request", of: work)
        let time = start.duration(to: .now)
        guard case .timedOut(let details) = error else { throw ConformanceFailure("the error is another than a timeout: \(error)") }
        try expect(time >= timeout, "it ended after \(time), and the timeout is \(timeout)")
        // Far more than it may be late by, so that a busy machine is not taken for a bad transport.
        try expect(time < timeout + .seconds(15), "it ended after \(time), and the timeout is \(timeout)")
        try expect("the limit", details.limit, is: .attempt)
    }
}

/// A socket that listens and whose queue is full, so that a connection to it is neither accepted nor refused.
private final class FullListener: Sendable {
    let url: URL
    private let descriptors: [Int32]

    init() throws {
        let listener = try SocketCalls.makeListener(backlog: 0)
        var descriptors = [listener.descriptor]
        for _ in 0..<4 {
            if let client = SocketCalls.beginConnecting(toPort: listener.port) { descriptors.append(client) }
        }
        self.descriptors = descriptors
        guard let url = URL(string: "http://127.0.0.1:\(listener.port)/") else { throw ConformanceSkip("there is no URL of 127.0.0.1") }
        self.url = url
    }

    deinit { for descriptor in descriptors { close(descriptor) } }
}
