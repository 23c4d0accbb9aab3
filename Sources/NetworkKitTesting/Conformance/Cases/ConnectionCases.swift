internal import NetworkKit
internal import PlatformBase

extension TransportConformance {
    static let connectionCases = Area.connections.cases([
        ConformanceRule("connection-reused", "RFC 9112 §9.3", "A connection is kept for the next request") { bench in
            let server = try await bench.serve { routes in
                routes.any("/length") { _ in .text("length") }
                routes.any("/chunked") { _ in .text("chunked").chunked(into: 3) }
                routes.any("/empty") { _ in .status(204) }
            }
            for path in ["length", "chunked", "empty", "length"] {
                for method in [HTTPMethod.get, .head, .post] { _ = try await bench.answer(server.url(path), method) }
            }
            try expect("the connections", server.connectionCount, is: 1)
        },
        ConformanceRule("connection-close", "RFC 9112 §9.6", "A connection that is to be closed carries no other request") { bench in
            let server = try await bench.serve { routes in
                routes.get("/") { request in .text("\(request.connection)").adding(["Connection": "keep-alive-not, Close"]) }
            }
            for number in 1...3 {
                let answer = try await bench.answer(server.baseURL)
                try expect("the connection", answer.text, is: "\(number)")
            }
        },
        ConformanceRule("hundreds-at-once", "Transport", "300 requests at once get each its own answer", demanding: true) { bench in
            let server = try await bench.serve { routes in
                routes.post("/:id") { request in .text("\(request.parameters["id"] ?? "") \(try await request.text())") }
            }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for id in 0..<300 {
                    group.addTask {
                        let answer = try await bench.answer(server.url("/\(id)"), .post, body: .data(Data("body \(id)".utf8)))
                        try expect("the answer", answer.text, is: "\(id) body \(id)")
                    }
                }
                try await group.waitForAll()
            }
            try expect("the requests", server.requestCount, is: 300)
        },
        ConformanceRule("waiting-together", "Transport", "Requests to a server that answers none of them yet don't wait for each other") {
            bench in
            let gate = LoopbackGate()
            let server = try await bench.serve { routes in
                routes.get("/") { _ in
                    await gate.wait()
                    return .text("open")
                }
            }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<6 {
                    group.addTask { try expect("the body", try await bench.answer(server.baseURL).text, is: "open") }
                }
                await server.waitForRequests(6)
                gate.open()
                try await group.waitForAll()
            }
        },
        ConformanceRule("no-answer", "RequestError", "A connection that ends without an answer is an error, at once") { bench in
            let server = try await bench.serve { routes in
                routes.any("/reset") { _ in .reset }
                routes.any("/dropped") { _ in .dropped }
            }
            for path in ["reset", "dropped"] {
                let error = try await bench.failure("the request") { () async throws(RequestError) in
                    try await bench.answer(server.url(path), .post, body: .data(Data("x".utf8)))
                }
                switch error {
                case .connection, .noResponse: break
                default: throw ConformanceFailure("it is another error: \(error)")
                }
            }
        },
        ConformanceRule("closed-on-connect", "RequestError", "A connection that is closed as soon as it is made is an error") { bench in
            let server = try await bench.serve { routes in
                routes.onConnect { _ in .reset }
            }
            _ = try await bench.failure("the request") { () async throws(RequestError) in
                try await bench.answer(server.baseURL, .post, body: .data(Data("x".utf8)))
            }
        },
    ])

    static let resendCases = Area.resending.cases([
        ConformanceRule("stale-post", "RFC 9110 §9.2.2", "A POST on a kept connection that dies unanswered runs once, and fails") { bench in
            for path in ["act", "drop"] {
                for body in [nil, RequestBody.data(Data("order".utf8))] {
                    let (result, server) = try await bench.onStaleConnection(path, .post, body: body)
                    if case .success = result, server.sawReused(path) {
                        throw ConformanceFailure("it succeeded, though its only answer was lost")
                    }
                    try expect("how often the POST ran", server.requests.count { $0.path == "/\(path)" }, is: 1)
                }
            }
        },
        ConformanceRule("stale-named", "RequestError.Connection.Kind", "A POST on a kept connection that dies unanswered is stale") {
            bench in
            let (result, server) = try await bench.onStaleConnection("act", .post, body: .data(Data("order".utf8)))
            guard server.sawReused("act") else { throw ConformanceSkip("a POST goes on a new connection") }
            guard case .failure(let error) = result else { throw ConformanceFailure("it succeeded") }
            try expect("the kind of failure", error.connectionKind, is: .stale)
        },
        ConformanceRule("stale-get", "RFC 9110 §9.2.2", "A GET on a kept connection that dies unanswered is sent again, once") { bench in
            for path in ["act", "drop"] { try await bench.expectSentAgain(path, .get) }
        },
        ConformanceRule("stale-put", "RFC 9110 §9.2.2", "A PUT on such a connection is sent again, once, with its body") { bench in
            for path in ["act", "drop"] { try await bench.expectSentAgain(path, .put, body: .data(Data("whole".utf8))) }
            try await bench.expectSentAgain("act", .put, body: .stream(length: nil) { Pieces("who", "le") })
        },
        ConformanceRule("stale-keyed-post", "RequestOptions.idempotencyKey", "A POST with an idempotency key is sent again, once") {
            bench in
            try await bench.expectSentAgain("act", .post, body: .data(Data("whole".utf8)), headers: ["Idempotency-Key": "k-1"])
        },
        ConformanceRule("stale-stream", "RequestBody.isReplayable", "A stream that was read isn't sent again, whole or empty") { bench in
            let (result, server) = try await bench.onStaleConnection("act", .put, body: .stream(Pieces("once")))
            if case .success = result, server.sawReused("act") { throw ConformanceFailure("it succeeded") }
            try expect("the bodies", server.requests.filter { $0.path == "/act" }.map(\.text), is: ["once"])
        },
        ConformanceRule("resent-once", "Transport", "What was sent again and dies again is not sent a third time") { bench in
            let (result, server) = try await bench.onStaleConnection("always", .get)
            if case .success = result { throw ConformanceFailure("it succeeded") }
            try expect("how often it was sent", server.requests.count { $0.path == "/always" }, is: 2)
        },
        ConformanceRule("fresh-not-resent", "Transport", "What dies unanswered on a new connection is not sent again") { bench in
            for (index, method) in [HTTPMethod.get, .put, .post].enumerated() {
                let server = try await bench.serve { routes in
                    routes.any("/reset") { _ in .reset }
                    routes.any("/dropped") { _ in .dropped }
                }
                let path = index == 1 ? "dropped" : "reset"
                _ = try await bench.failure("the request") { () async throws(RequestError) in
                    try await bench.answer(server.url(path), method)
                }
                try expect("the requests by \(method)", server.requestCount, is: 1)
            }
        },
        ConformanceRule("closing-server", "RFC 9112 §9.3.1", "POSTs to a server that silently closes kept connections never run twice") {
            bench in
            let server = try await bench.serve { routes in
                routes.post("/:id") { _ in .text("done").closingSilently() }
            }
            for id in 0..<40 {
                do {
                    try expect("the body", try await bench.answer(server.url("/\(id)"), .post).text, is: "done")
                } catch let error as RequestError {
                    try expect(error.connectionKind == .stale, "the error is another than that of a stale connection: \(error)")
                }
            }
            let targets = server.requests.map(\.target)
            try expect("the requests that ran twice", targets.count - Set(targets).count, is: 0)
        },
    ])
}

extension LoopbackServer {
    /// Whether a request of this path came on a connection that had carried another.
    fileprivate func sawReused(_ path: String) -> Bool { requests.contains { $0.path == "/\(path)" && $0.isReused } }
}

extension ConformanceBench {
    /// Sends a request on a kept connection, which then dies without an answer.
    fileprivate func onStaleConnection(
        _ path: String, _ method: HTTPMethod, body: RequestBody? = nil, headers: HTTPFields = [:]
    ) async throws -> (Result<Answer, RequestError>, LoopbackServer) {
        let server = try await serve { routes in
            routes.any("/warm") { _ in .text("warm") }
            routes.any("/act") { $0.isReused ? .reset : .text("done") }
            routes.any("/drop") { $0.isReused ? .dropped : .text("done") }
            routes.any("/always") { _ in .reset }
        }
        _ = try await answer(server.url("/warm"))
        let url = server.url(path)
        do throws(RequestError) {
            return (.success(try await answer(url, method, headers: headers, body: body)), server)
        } catch {
            return (.failure(error), server)
        }
    }

    fileprivate func expectSentAgain(
        _ path: String, _ method: HTTPMethod, body: RequestBody? = nil, headers: HTTPFields = [:]
    ) async throws {
        let (result, server) = try await onStaleConnection(path, method, body: body, headers: headers)
        try expect("the body", try result.get().text, is: "done")
        let sent = server.requests.filter { $0.path == "/\(path)" }
        // What goes on a new connection to begin with needs no second sending.
        let times = server.sawReused(path) ? 2 : 1
        try expect("how often it was sent", sent.count, is: times)
        if body != nil { try expect("the bodies", sent.map(\.text), is: Array(repeating: "whole", count: times)) }
        let key = headers[.idempotencyKey]
        try expect("Idempotency-Key", sent.map { $0.headers[.idempotencyKey] }, is: Array(repeating: key, count: times))
    }
}
