internal import NetworkKit
internal import PlatformBase

extension TransportConformance {
    static let statusCases = Area.statuses.cases([
        ConformanceRule("every-status", "RFC 9110 §15", "Every status from 200 to 999 is an answer, with its body", demanding: true) {
            bench in
            let server = try await bench.serve { routes in
                routes.get("/:code") { request in
                    let code = request.parameters["code"] ?? ""
                    return .text([204, 205, 304].contains(Int(code)) ? "" : code, status: HTTPStatus(Int(code) ?? 500))
                }
            }
            for code in 200...999 {
                let answer = try await bench.answer(server.url("/\(code)"))
                try expect("the status", answer.code, is: code)
                try expect("the body of \(code)", answer.text, is: [204, 205, 304].contains(code) ? "" : "\(code)")
            }
            try expect("the requests", server.requestCount, is: 800)
        },
        ConformanceRule("server-error", "Transport", "A 500 is an answer, for whoever wants a value too") { bench in
            let server = try await bench.serve { routes in routes.get("/") { _ in .text("broken", status: 500) } }
            for delivery in [CallContext.Delivery.stream, .value] {
                let answer = try await bench.answer(server.baseURL, delivery: delivery)
                try expect("the status", answer.code, is: 500)
                try expect("the body", answer.text, is: "broken")
            }
            try expect("the requests", server.requestCount, is: 2)
        },
        ConformanceRule("switching-protocols", "RFC 9110 §15.2.2", "A 101 that nobody asked for is an error") { bench in
            try await bench.expectRefusal(
                of: "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n", "a change to another protocol")
        },
    ])
}
