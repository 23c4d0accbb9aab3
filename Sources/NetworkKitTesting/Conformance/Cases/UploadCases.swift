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
        ConformanceRule("used-stream", "RequestBody.isReplayable", "A stream that was read makes no whole second request") { bench in
            let server = try await bench.serve { routes in routes.fallback { _ in .text("taken") } }
            let body = RequestBody.stream(Pieces("once"))
            _ = try await bench.answer(server.baseURL, .post, body: body)
            let error = try await bench.failure("the second request") { () async throws(RequestError) in
                try await bench.answer(server.baseURL, .post, body: body)
            }
            guard case .notReplayable = error else { throw ConformanceFailure("it failed in another way: \(error)") }
            try expect("the whole requests", server.requests.filter(\.isComplete).map(\.text), is: ["once"])
        },
        ConformanceRule("json-body", "RequestBody.json(_:)", "A value is sent as its JSON") { bench in
            try expect("the body", try await bench.sent(.json(["id": 550])).text, is: #"{"id":550}"#)
        },
        ConformanceRule("missing-file", "RequestBody.file(_:)", "A file that can't be read is an error of its own, and nothing is sent") {
            bench in
            let server = try await bench.serve { routes in routes.fallback { _ in .text("taken") } }
            let error = try await bench.failure("the request") { () async throws(RequestError) in
                try await bench.answer(server.baseURL, .post, body: .file(URL(filePath: "/no/such/file")))
            }
            guard case .file = error else { throw ConformanceFailure("it failed in another way: \(error)") }
            try expect("the connections", server.connectionCount, is: 0)
        },
    ])
}
