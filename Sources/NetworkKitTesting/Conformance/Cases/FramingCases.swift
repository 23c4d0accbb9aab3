internal import NetworkKit
internal import PlatformBase

extension TransportConformance {
    static let framingCases = Area.framing.cases([
        ConformanceRule("content-length", "RFC 9112 §6.3", "A body with a length is read to that length") { bench in
            let server = try await bench.serve { routes in routes.get("/") { _ in .text("exactly") } }
            let answer = try await bench.answer(server.baseURL)
            try expect("the body", answer.text, is: "exactly")
            try expect("Content-Length", answer.response.headers[.contentLength], is: "7")
        },
        ConformanceRule("chunked", "RFC 9112 §7.1", "Chunks are put together, their extensions passed over") { bench in
            let answer = try await bench.answer(
                toGetting: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5;a=1\r\nhello\r\n00A;b=\"c\"\r\n, 10 bytes\r\n0\r\n\r\n")
            try expect("the body", answer.text, is: "hello, 10 bytes")
        },
        ConformanceRule("empty-chunked", "RFC 9112 §7.1", "A chunked body without a chunk is empty") { bench in
            let answer = try await bench.answer(toGetting: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n")
            try expect("the body", answer.body, is: Data())
        },
        ConformanceRule("no-length", "RFC 9112 §6.3", "A body without a length ends with the connection") { bench in
            let answer = try await bench.answer(toGetting: "HTTP/1.1 200 OK\r\nX-A: 1\r\n\r\nall of it")
            try expect("the body", answer.text, is: "all of it")
        },
        ConformanceRule("no-content", "RFC 9112 §6.3", "A 204 has no body, whatever its length says; the connection is good") { bench in
            try await bench.expectBodiless("HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\n", status: 204)
        },
        ConformanceRule("not-modified", "RFC 9112 §6.3", "A 304 has no body, whatever its length says; the connection is good") { bench in
            try await bench.expectBodiless("HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\nETag: \"1\"\r\n\r\n", status: 304)
        },
        ConformanceRule("head-with-length", "RFC 9110 §9.3.2", "An answer to HEAD has no body and keeps its length") { bench in
            let server = try await bench.serve { routes in
                routes.fallback { _ in .raw("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n", thenClose: false) }
            }
            for _ in 0..<2 {
                let answer = try await bench.answer(server.baseURL, .head)
                try expect("the body", answer.body, is: Data())
                try expect("Content-Length", answer.response.headers[.contentLength], is: "1000")
            }
            try expect("the connections", server.connectionCount, is: 1)
        },
        ConformanceRule("head-chunked", "RFC 9112 §6.1", "An answer to HEAD has no body, chunked or not") { bench in
            let server = try await bench.serve { routes in
                routes.fallback { _ in .raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", thenClose: false) }
            }
            for _ in 0..<2 { try expect("the body", try await bench.answer(server.baseURL, .head).body, is: Data()) }
            try expect("the connections", server.connectionCount, is: 1)
        },
        ConformanceRule("truncated-length", "RFC 9112 §8", "A body shorter than its length is an error, behind the head") { bench in
            let server = try await bench.serve { routes in
                routes.get("/") { _ in .text(String(repeating: "x", count: 5000)).cut(afterBodyBytes: 1000) }
            }
            let error = try await bench.expectBrokenBody(try await bench.send(server.baseURL), "reading the body")
            try expect(!error.isCancellation, "the error is a cancellation")
        },
        ConformanceRule("truncated-chunk", "RFC 9112 §8", "A chunk that breaks off is an error") { bench in
            let server = try await bench.serve { routes in
                routes.get("/") { _ in .text(String(repeating: "x", count: 5000)).chunked(into: 2000).cut(afterBodyBytes: 3000) }
            }
            _ = try await bench.expectBrokenBody(try await bench.send(server.baseURL), "reading the body")
        },
        ConformanceRule("missing-last-chunk", "RFC 9112 §8", "Chunks without the last one are an error") { bench in
            let server = try await bench.serve { routes in
                routes.stream(.get, "/") { exchange in
                    try await exchange.sendRaw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n")
                }
            }
            _ = try await bench.expectBrokenBody(try await bench.send(server.baseURL), "reading the body")
        },
        ConformanceRule("reset-in-body", "RFC 9112 §8", "A connection broken in the body is an error") { bench in
            let gate = LoopbackGate()
            let server = try await bench.serve { routes in
                routes.stream(.get, "/") { exchange in
                    try await exchange.sendHead(200, ["Content-Length": "100"])
                    try await exchange.send("the beginning")
                    await gate.wait()
                    exchange.reset()
                }
            }
            let response = try await bench.send(server.baseURL)
            gate.open()
            _ = try await bench.expectBrokenBody(response, "reading the body")
        },
        ConformanceRule("truncation-named", "RequestError.Connection.Kind", "A body that breaks off is named so") { bench in
            let server = try await bench.serve { routes in routes.get("/") { _ in .text("0123456789").cut(afterBodyBytes: 5) } }
            let error = try await bench.failure("reading the body") { () async throws(RequestError) in
                try await bench.answer(server.baseURL)
            }
            try expect("the kind of failure", error.connectionKind, is: .truncated)
        },
        ConformanceRule("bad-chunk-size", "RFC 9112 §7.1", "A chunk's size that is no number is an error") { bench in
            try await bench.expectRefusal(
                of: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\nhello\r\n0\r\n\r\n", "a chunk of ZZ bytes")
        },
        ConformanceRule("over-long-body", "RFC 9112 §6.3", "Bytes behind a body are neither body nor the next answer") { bench in
            let server = try await bench.serve { routes in
                routes.get("/long") { _ in
                    let smuggled = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil"
                    return .raw("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello\(smuggled)", thenClose: false)
                }
                routes.get("/next") { _ in .text("next") }
            }
            try expect("the body", try await bench.answer(server.url("/long")).text, is: "hello")
            try expect("the next request's body", try await bench.answer(server.url("/next")).text, is: "next")
        },
    ])
}

extension ConformanceBench {
    fileprivate func expectBodiless(_ raw: String, status: Int) async throws {
        let server = try await serve { routes in routes.fallback { _ in .raw(raw, thenClose: false) } }
        for _ in 0..<2 {
            let answer = try await answer(server.baseURL)
            try expect("the status", answer.code, is: status)
            try expect("the body", answer.body, is: Data())
        }
        try expect("the connections", server.connectionCount, is: 1)
    }
}
