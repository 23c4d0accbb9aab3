internal import NetworkKit
internal import PlatformBase

extension TransportConformance {
    static let bodyCases = Area.bodies.cases([
        ConformanceRule("every-byte", "RFC 9110 §6.4", "All values of a byte arrive as they were sent, both ways") { bench in
            let content = Data((0..<4096).map { UInt8(truncatingIfNeeded: $0 &* 7) })
            let server = try await bench.serve { routes in
                routes.post("/") { request in .data(try await request.body()) }
            }
            try expect("the body", try await bench.answer(server.baseURL, .post, body: .data(content)).body, is: content)
        },
        ConformanceRule("megabyte-echo", "RFC 9110 §6.4", "A mebibyte goes and comes back whole, as a value and as a stream") { bench in
            let content = Data((0..<1 << 20).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) })
            let server = try await bench.serve { routes in
                routes.post("/") { request in .data(try await request.body()) }
            }
            for delivery in [CallContext.Delivery.stream, .value] {
                let answer = try await bench.answer(server.baseURL, .post, body: .data(content), delivery: delivery)
                try expect(answer.body == content, "what came back is not what was sent")
            }
        },
        ConformanceRule("drip-read", "ResponseBody", "A body that comes byte by byte is read whole") { bench in
            let server = try await bench.serve { routes in
                routes.get("/") { _ in .generated(bytes: 2000).chunked(into: 1) }
            }
            try await bench.expectCounting(try await bench.send(server.baseURL), 2000)
        },
        ConformanceRule("large-body", "ResponseBody", "A body larger than any buffer arrives whole, chunked or not", demanding: true) {
            bench in
            let server = try await bench.serve { routes in
                routes.get("/length") { _ in .generated(bytes: 5_000_001) }
                routes.get("/chunked") { _ in .generated(bytes: 5_000_001).chunked(into: 65_521) }
            }
            for path in ["length", "chunked"] {
                try await bench.expectCounting(try await bench.send(server.url(path)), 5_000_001)
            }
        },
        ConformanceRule(
            "large-error-body", "ResponseBody", "A large body behind an error is read whole, however it is read", demanding: true
        ) {
            bench in
            let server = try await bench.serve { routes in
                routes.get("/length") { _ in .generated(bytes: 5_000_001, status: 500) }
                routes.get("/chunked") { _ in .generated(bytes: 5_000_001, status: 404).chunked(into: 65_521) }
            }
            for path in ["length", "chunked"] {
                for delivery in [CallContext.Delivery.stream, .value] {
                    try await bench.expectCounting(try await bench.send(server.url(path), delivery: delivery), 5_000_001)
                    let collected = try await bench.answer(server.url(path), delivery: delivery).body
                    try expect("the length of the collected body", collected.count, is: 5_000_001)
                }
            }
        },
        ConformanceRule("pieces-as-they-come", "ResponseBody", "A piece is given when it comes, not when the body ends") { bench in
            let gates = (0..<3).map { _ in LoopbackGate() }
            let server = try await bench.serve { routes in
                routes.stream(.get, "/") { exchange in
                    try await exchange.sendHead(200)
                    for (index, gate) in gates.enumerated() {
                        await gate.wait()
                        try await exchange.send("\(index)")
                    }
                }
            }
            let response = try await bench.send(server.baseURL)
            var iterator = response.body.makeAsyncIterator()
            for (index, gate) in gates.enumerated() {
                gate.open()
                try expect("a piece", try await iterator.next(), is: Data("\(index)".utf8))
            }
            try expect("the end", try await iterator.next(), is: nil)
        },
        ConformanceRule("two-at-once", "ResponseBody", "Two bodies can be read in turn") { bench in
            let server = try await bench.serve { routes in routes.get("/") { _ in .generated(bytes: 300_000) } }
            let (first, second) = (try await bench.send(server.baseURL), try await bench.send(server.baseURL))
            var iterators = [first.body.makeAsyncIterator(), second.body.makeAsyncIterator()]
            var counts = [0, 0]
            var open = Set([0, 1])
            while !open.isEmpty {
                for index in open.sorted() {
                    guard let piece = try await iterators[index].next() else {
                        open.remove(index)
                        continue
                    }
                    counts[index] += piece.count
                }
            }
            try expect("the lengths", counts, is: [300_000, 300_000])
        },
        ConformanceRule("let-go", "ResponseBody", "Letting go of a body ends the transfer") { bench in
            let server = try await bench.serve { routes in routes.get("/") { _ in .generated(bytes: 1 << 30) } }
            do {
                let response = try await bench.send(server.baseURL)
                var iterator = response.body.makeAsyncIterator()
                try expect(try await iterator.next() != nil, "the body has no bytes")
            }
            await server.waitUntilIdle()
        },
        ConformanceRule("discard", "ResponseBody.discard()", "Discarding a body ends the transfer") { bench in
            let server = try await bench.serve { routes in routes.get("/") { _ in .generated(bytes: 1 << 30) } }
            let response = try await bench.send(server.baseURL)
            response.body.discard()
            await server.waitUntilIdle()
            withExtendedLifetime(response) {}
        },
        ConformanceRule("back-pressure", "ResponseBody", "A body that isn't read stops flowing, and goes on when it is", demanding: true) {
            bench in
            let sent = Lock<Int>.Shared(0)
            let server = try await bench.serve { routes in
                routes.stream(.get, "/") { exchange in
                    try await exchange.sendHead(200)
                    let block = Data(count: 1 << 20)
                    for _ in 0..<256 {
                        try await exchange.send(block)
                        sent.withLock { $0 += 1 }
                    }
                }
                routes.get("/later") { _ in .text("later").delayed(by: .milliseconds(700)) }
            }
            let response = try await bench.send(server.baseURL)
            var iterator = response.body.makeAsyncIterator()
            var count = try await iterator.next()?.count ?? 0
            _ = try await bench.answer(server.url("/later"))
            let flowed = sent.withLock { $0 }
            try expect(flowed <= 64, "\(flowed) MiB were taken while nobody read on")
            while count < 80 << 20, let piece = try await iterator.next() { count += piece.count }
            try expect(count >= 80 << 20, "the body ended after \(count) bytes of 256 MiB")
        },
        ConformanceRule(
            "maximum-body-size", "RequestOptions.maximumBodySize", "A value over the limit ends at once, before the rest is read"
        ) {
            bench in
            let server = try await bench.serve { routes in
                routes.get("/declared") { _ in .generated(bytes: 1 << 30) }
                routes.get("/chunked") { _ in .generated(bytes: 1 << 30).chunked(into: 65_536) }
                routes.get("/coded") { _ in .text(String(repeating: " ", count: 8 << 20)).gzipped() }
            }
            for path in ["declared", "chunked", "coded"] {
                let error = try await bench.failure("a body over the limit, \(path),") { () async throws(RequestError) in
                    try await bench.answer(server.url(path), options: .init(maximumBodySize: 1 << 20), delivery: .value)
                }
                guard case .responseTooLarge(let details) = error else { throw ConformanceFailure("another error: \(error)") }
                try expect("the limit", details.limit, is: 1 << 20)
            }
            let exact = try await bench.answer(
                server.url("/coded"), options: .init(maximumBodySize: 8 << 20), delivery: .value)
            try expect("the length of a body of exactly the limit", exact.body.count, is: 8 << 20)
        },
    ])
}

extension ConformanceBench {
    /// Reads a body whose byte at offset `n` is `n % 251`.
    fileprivate func expectCounting(_ response: HTTPResponse, _ length: Int) async throws {
        var offset = 0
        for try await piece in response.body {
            try expect(!piece.isEmpty, "a piece is empty")
            for byte in piece {
                try expect(byte == UInt8(offset % 251), "the byte at \(offset) is another than was sent")
                offset += 1
            }
        }
        try expect("the length", offset, is: length)
    }
}

extension Lock {
    /// A value that a route and a case share.
    final class Shared: Sendable where Value: Sendable {
        private let lock: Lock<Value>
        init(_ value: Value) { lock = Lock(value) }
        func withLock<Result: Sendable>(_ body: (inout Value) -> Result) -> Result { lock.withLock { body(&$0) } }
    }
}
