internal import NetworkKit
internal import PlatformBase

extension TransportConformance {
    static let methodCases = Area.methods.cases([
        ConformanceRule("methods", "RFC 9110 §9.1", "A method is sent as it is, whatever its name and case") { bench in
            let names = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "QUERY", "PROPFIND", "M-SEARCH", "get", "x!"]
            for name in names {
                let method = try HTTPMethod(name: name)
                try expect("the method", try await bench.sent(nil, method).method.name, is: name)
            }
        },
        ConformanceRule("body-with-any-method", "RFC 9110 §9.3", "A body is sent with whatever method it was given") { bench in
            for method in [HTTPMethod.get, .delete, .options, .query, .patch] {
                let sent = try await bench.sent(.data(Data("content".utf8)), method)
                try expect("the method", sent.method, is: method)
                try expect("the body of \(method)", sent.text, is: "content")
            }
        },
        ConformanceRule("stream-with-any-method", "RFC 9110 §9.3", "A stream is sent with whatever method it was given") { bench in
            for method in [HTTPMethod.get, .delete, .put] {
                let sent = try await bench.sent(.stream(Pieces("con", "tent")), method)
                try expect("the method", sent.method, is: method)
                try expect("the body of \(method)", sent.text, is: "content")
            }
        },
    ])

    static let targetCases = Area.targets.cases([
        ConformanceRule("path-as-given", "RFC 3986 §6.2", "A path goes out byte by byte as it was given") { bench in
            let server = try await bench.serve { routes in routes.fallback { _ in .text("") } }
            let paths = ["/a/../b/./c", "/a//b/", "/%7Euser/%2e%2E/%2F", "/a;b=c,d/(e)'!$&*+:@", "/", "//double"]
            for path in paths { _ = try await bench.answer(server.url(path)) }
            try expect("the targets", server.requests.map(\.target), is: paths)
        },
        ConformanceRule("query-as-given", "RFC 3986 §3.4", "A query goes out byte by byte as it was given") { bench in
            let server = try await bench.serve { routes in routes.fallback { _ in .text("") } }
            let targets = ["/?", "/x?a=1&a=2&q=%20+%2B&empty=&flag", "/x?u=http://a/b?c=d&e=[1]"].filter {
                // What this platform's URL changes by itself can't be asked for.
                server.url($0).absoluteString.hasSuffix($0)
            }
            for target in targets { _ = try await bench.answer(server.url(target)) }
            try expect("the targets", server.requests.map(\.target), is: targets)
        },
        ConformanceRule("empty-path", "RFC 9112 §3.2.1", "An empty path is sent as a slash") { bench in
            let server = try await bench.serve { routes in routes.fallback { _ in .text("") } }
            for text in ["", "?a=1"] { _ = try await bench.answer(try bench.url("http://127.0.0.1:\(server.port)\(text)")) }
            try expect("the targets", server.requests.map(\.target), is: ["/", "/?a=1"])
        },
        ConformanceRule("no-fragment", "RFC 9110 §7.1", "A fragment isn't sent") { bench in
            let server = try await bench.serve { routes in routes.fallback { _ in .text("") } }
            for target in ["/a#b", "/a?b#c?d"] { _ = try await bench.answer(server.url(target)) }
            try expect("the targets", server.requests.map(\.target), is: ["/a", "/a?b"])
            try expect("the malformed requests", server.malformedRequests, is: [])
        },
        ConformanceRule("user-info", "RFC 7617 §2", "User information becomes Authorization and leaves the URL") { bench in
            let server = try await bench.serve { routes in routes.fallback { _ in .text("") } }
            let url = try bench.url("http://user:p%40ss@127.0.0.1:\(server.port)/a")
            _ = try await bench.answer(url)
            let expected = "Basic \(Data("user:p@ss".utf8).base64EncodedString())"
            try expect("Authorization", server.requests.first?.headers[values: .authorization], is: [expected])
            try expect("Host", server.requests.first?.headers[.host], is: "127.0.0.1:\(server.port)")
            try expect("the target", server.requests.first?.target, is: "/a")
            _ = try await bench.answer(url, headers: ["Authorization": "Bearer own"])
            try expect("Authorization of the caller's own", server.requests.last?.headers[values: .authorization], is: ["Bearer own"])
        },
        ConformanceRule("host-field", "RFC 9112 §3.2", "Host is sent once, with a port that isn't the scheme's own") { bench in
            let server = try await bench.serve { routes in routes.fallback { _ in .text("") } }
            _ = try await bench.answer(server.baseURL)
            try expect("Host", server.requests.first?.headers[values: .host], is: ["127.0.0.1:\(server.port)"])
            _ = try await bench.answer(try bench.url("http://LocalHost:\(server.port)/"))
            try expect("Host", server.requests.last?.headers[.host]?.lowercased(), is: "localhost:\(server.port)")
        },
        ConformanceRule("final-url", "ResponseHead.url", "An answer tells the URL that gave it") { bench in
            let server = try await bench.serve { routes in routes.fallback { _ in .text("") } }
            let url = server.url("/a?b=c")
            try expect("the URL", try await bench.answer(url).response.url, is: url)
        },
        ConformanceRule("ipv6-literal", "RFC 3986 §3.2.2", "The literal of an IPv6 address is an address") { bench in
            // Nobody listens there: what counts is that a connection is tried, which no name has to be looked up for.
            let url = try bench.url("http://[::1]:1/x")
            let error = try await bench.failure("the request") { () async throws(RequestError) in try await bench.answer(url) }
            let kind = error.connectionKind
            try expect(kind == .refused || kind == .other, "the error is another than that of a connection refused: \(error)")
        },
        ConformanceRule("refused-named", "RequestError.Connection.Kind", "A port where nobody listens refuses, and is named so") { bench in
            let server = try await bench.serve { _ in }
            await server.stop()
            let error = try await bench.failure("the request") { () async throws(RequestError) in try await bench.answer(server.baseURL) }
            try expect("the kind of failure", error.connectionKind, is: .refused)
        },
    ])
}

extension ConformanceBench {
    func url(_ text: String) throws(ConformanceSkip) -> URL {
        guard let url = URL(string: text) else { throw ConformanceSkip("this platform has no URL for \(text)") }
        return url
    }
}
