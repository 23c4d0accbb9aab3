internal import NetworkKit
internal import PlatformBase

extension TransportConformance {
    static let metricsCases = Area.metrics.cases([
        ConformanceRule("metrics-plausible", "RequestMetrics", "What a request cost is told: bytes, version and times in their order") {
            bench in
            let server = try await bench.serve { routes in
                routes.post("/") { request in .data(try await request.body() + Data("answer".utf8)) }
            }
            for delivery in [CallContext.Delivery.stream, .value] {
                let answer = try await bench.answer(server.baseURL, .post, body: .data(Data(count: 1000)), delivery: delivery)
                guard let metrics = answer.response.body.metrics else { throw ConformanceFailure("the body has no metrics") }
                try expect("the bytes sent", metrics.bodyBytesSent, is: 1000)
                try expect("the bytes received", metrics.bodyBytesReceived, is: 1006)
                try expect("the version", metrics.version, is: HTTPVersion(major: 1, minor: 1))
                try expect("the times it was sent", metrics.sends, is: 1)
                guard let first = metrics.firstByte, let total = metrics.total else { throw ConformanceFailure("a time is missing") }
                try expect(
                    .zero < first && first <= total && total < .seconds(20), "the first byte came after \(first), all after \(total)")
            }
        },
        ConformanceRule("metrics-of-coded", "RequestMetrics.bodyBytesReceived", "Bytes of a body are counted before it is decoded") {
            bench in
            let server = try await bench.serve { routes in
                routes.get("/") { _ in .text(String(repeating: "a", count: 100_000)).gzipped() }
            }
            let answer = try await bench.answer(server.baseURL)
            try expect("the length", answer.body.count, is: 100_000)
            let received = answer.response.body.metrics?.bodyBytesReceived ?? 0
            try expect(received > 0 && received < 5000, "\(received) bytes are said to have come")
        },
        ConformanceRule("metrics-of-reuse", "RequestMetrics.isConnectionReused", "Whether a connection was kept from before is told") {
            bench in
            let server = try await bench.serve { routes in routes.get("/") { _ in .text("x") } }
            for isReused in [false, true, true] {
                let metrics = try await bench.answer(server.baseURL).response.body.metrics
                try expect("whether the connection was reused", metrics?.isConnectionReused, is: isReused)
            }
        },
        ConformanceRule("metrics-of-resending", "RequestMetrics.sends", "That a request was sent again is told") { bench in
            let server = try await bench.serve { routes in
                routes.get("/") { $0.isReused ? .reset : .text("x") }
            }
            for (sends, isReused) in [(1, false), (2, false)] {
                let metrics = try await bench.answer(server.baseURL).response.body.metrics
                try expect("the times it was sent", metrics?.sends, is: sends)
                try expect("whether the connection was reused", metrics?.isConnectionReused, is: isReused)
            }
        },
        ConformanceRule("events", "TransportEvent", "What happens on the wire is told as it happens") { bench in
            let server = try await bench.serve { routes in
                routes.get("/") { _ in .text("x").interim(103, ["Link": "</a>"]) }
            }
            let seen = Lock<[String]>.Shared([])
            for _ in 0..<2 {
                var request = HTTPRequest(url: server.baseURL)
                request.context.events = { event in
                    switch event {
                    case .connected(let reused): seen.withLock { $0.append(reused ? "kept" : "new") }
                    case .interim(let status, _), .head(let status): seen.withLock { $0.append("\(status.code)") }
                    case .ended: seen.withLock { $0.append("ended") }
                    default: break
                    }
                }
                _ = try await bench.transport.send(request).body.collect(upTo: 100)
            }
            try expect("the events", seen.withLock { $0 }, is: ["new", "103", "200", "ended", "kept", "103", "200", "ended"])
        },
    ])
}
