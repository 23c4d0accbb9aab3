internal import NetworkKit
internal import PlatformBase

extension TransportConformance {
    static let redirectCases = Area.redirects.cases([
        ConformanceRule("redirect-delivered", "Transport", "A redirect is an answer, with its body, and isn't followed") { bench in
            let server = try await bench.serve { routes in
                routes.get("/:code") { request in
                    .text("moved", status: HTTPStatus(Int(request.parameters["code"] ?? "") ?? 500), headers: ["Location": "/end/x"])
                }
                routes.fallback { _ in .text("followed") }
            }
            for code in [300, 301, 302, 303, 307, 308] {
                for delivery in [CallContext.Delivery.stream, .value] {
                    let answer = try await bench.answer(server.url("/\(code)"), delivery: delivery)
                    try expect("the status", answer.code, is: code)
                    try expect("Location", answer.response.headers[.location], is: "/end/x")
                    try expect("the body", answer.text, is: "moved")
                }
            }
            try expect("the requests", server.requestCount, is: 12)
        },
        ConformanceRule("redirected-post", "Transport", "A redirect of a POST is an answer: nothing is sent again") { bench in
            let server = try await bench.serve { routes in
                routes.post("/:code") { request in
                    .text("moved", status: HTTPStatus(Int(request.parameters["code"] ?? "") ?? 500), headers: ["Location": "/end/x"])
                }
                routes.fallback { _ in .text("followed") }
            }
            for code in [301, 302, 303, 307, 308] {
                let answer = try await bench.answer(server.url("/\(code)"), .post, body: .data(Data("order".utf8)))
                try expect("the status", answer.code, is: code)
                try expect("the body", answer.text, is: "moved")
            }
            try expect("the requests", server.requestCount, is: 5)
        },
        ConformanceRule("redirect-to-nowhere", "RFC 9110 §15.4", "A redirect without a Location, or to nonsense, is an answer") { bench in
            for location in ["", "Location: http://[nonsense\r\n", "Location: file:///etc/hostname\r\n"] {
                let answer = try await bench.answer(toGetting: "HTTP/1.1 302 Found\r\n\(location)Content-Length: 5\r\n\r\nmoved")
                try expect("the status", answer.code, is: 302)
                try expect("the body", answer.text, is: "moved")
            }
        },
        ConformanceRule("no-cookie-kept", "Transport", "A cookie is neither stored nor sent unasked") { bench in
            let server = try await bench.serve { routes in
                routes.fallback { _ in .text("", headers: ["Set-Cookie": "session=1; Path=/"]) }
            }
            for _ in 0..<2 {
                let answer = try await bench.answer(server.baseURL)
                try expect("Set-Cookie", answer.response.headers[values: .setCookie], is: ["session=1; Path=/"])
            }
            try expect("Cookie", server.requests.last?.headers[values: .cookie], is: [])
            _ = try await bench.answer(server.baseURL, headers: ["Cookie": "own=2"])
            try expect("Cookie of the caller's own", server.requests.last?.headers[values: .cookie], is: ["own=2"])
        },
        ConformanceRule("no-caching", "Transport", "Nothing is cached: each request reaches the server, without conditions") { bench in
            let server = try await bench.serve { routes in
                routes.get("/") { request in
                    .text("\(request.number)", headers: ["Cache-Control": "max-age=3600", "ETag": "\"1\"", "Age": "0"])
                }
            }
            for number in 1...3 { try expect("the body", try await bench.answer(server.baseURL).text, is: "\(number)") }
            try expect("If-None-Match", server.requests.last?.headers[.ifNoneMatch], is: nil)
        },
    ])

    static let challengeCases = Area.challenges.cases(
        [
            ("basic", "RFC 7617 §2", "Basic realm=\"x\""), ("bearer", "RFC 6750 §3", "Bearer realm=\"x\", error=\"invalid_token\""),
            ("digest", "RFC 7616 §3.3", "Digest realm=\"x\", nonce=\"a\", qop=\"auth\""), ("negotiate", "RFC 4559 §4", "Negotiate"),
            ("several", "RFC 9110 §11.6.1", "Bearer, Basic realm=\"x\", Digest realm=\"y\", nonce=\"b\""),
        ].map { name, rule, challenge in
            ConformanceRule("challenge-\(name)", rule, "A 401 with a challenge is an answer with its body, and is asked once") { bench in
                let server = try await bench.serve { routes in
                    routes.any("/") { _ in .text("who are you?", status: 401, headers: ["WWW-Authenticate": challenge]) }
                }
                let url = try bench.url("http://user:password@127.0.0.1:\(server.port)/")
                for (url, method) in [(server.baseURL, HTTPMethod.get), (server.baseURL, .post), (url, .get)] {
                    let answer = try await bench.answer(url, method, body: method == .post ? .data(Data("x".utf8)) : nil)
                    try expect("the status", answer.code, is: 401)
                    try expect("WWW-Authenticate", answer.response.headers[.wwwAuthenticate], is: challenge)
                    try expect("the body", answer.text, is: "who are you?")
                }
                try expect("the requests", server.requestCount, is: 3)
            }
        } + [
            ConformanceRule("proxy-challenge", "RFC 9110 §15.5.8", "A 407 without a proxy is an answer, and is asked once") { bench in
                let server = try await bench.serve { routes in
                    routes.get("/") { _ in .text("who?", status: 407, headers: ["Proxy-Authenticate": "Basic realm=\"x\""]) }
                }
                let answer = try await bench.answer(server.baseURL)
                try expect("the status", answer.code, is: 407)
                try expect("the body", answer.text, is: "who?")
                try expect("the requests", server.requestCount, is: 1)
            }
        ])
}
