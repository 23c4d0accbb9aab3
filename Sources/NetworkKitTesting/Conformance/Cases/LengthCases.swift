internal import NetworkKit
internal import PlatformBase

extension TransportConformance {
    /// Framing that contradicts itself, and trailers.
    static let lengthCases = Area.framing.cases([
        ConformanceRule("conflicting-lengths", "RFC 9112 §6.3", "Two lengths that differ are an error") { bench in
            try await bench.expectRefusal(
                of: "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 7\r\n\r\nhello77", "an answer of lengths 5 and 7")
            try await bench.expectRefusal(of: "HTTP/1.1 200 OK\r\nContent-Length: 5, 7\r\n\r\nhello77", "an answer of length 5, 7")
        },
        ConformanceRule("invalid-length", "RFC 9112 §6.3", "A length that is no number is an error") { bench in
            for value in ["five", "-5", "0x5"] {
                try await bench.expectRefusal(of: "HTTP/1.1 200 OK\r\nContent-Length: \(value)\r\n\r\nhello", "a length of \(value)")
            }
        },
        ConformanceRule("absurd-length", "RFC 9110 §8.6", "A length of 2^63-1, or of more, is an error and no crash") { bench in
            for value in ["9223372036854775807", "9223372036854775808", "99999999999999999999"] {
                try await bench.expectRefusal(of: "HTTP/1.1 200 OK\r\nContent-Length: \(value)\r\n\r\nhello", "a length of \(value)")
            }
        },
        ConformanceRule("length-and-chunked", "RFC 9112 §6.3", "Chunks win over a length") { bench in
            let answer = try await bench.answer(
                toGetting: "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n")
            try expect("the body", answer.text, is: "hello")
        },
        ConformanceRule("unknown-transfer-coding", "RFC 9112 §7", "A transfer coding that wasn't asked for is an error") { bench in
            try await bench.expectRefusal(
                of: "HTTP/1.1 200 OK\r\nTransfer-Encoding: rot13, chunked\r\n\r\n5\r\nuryyb\r\n0\r\n\r\n", "a body in rot13")
        },
        ConformanceRule("trailers", "RFC 9112 §7.1.2", "Fields behind a chunked body are given once it has been read") { bench in
            let server = try await bench.serve { routes in
                routes.get("/") { _ in .chunks([Data("hello".utf8)]).trailers(["X-Checksum": "5d41", "X-More": "yes"]) }
            }
            for delivery in [CallContext.Delivery.stream, .value] {
                let answer = try await bench.answer(server.baseURL, delivery: delivery)
                try expect("the body", answer.text, is: "hello")
                try expect("the trailers", answer.response.body.trailers.pairs, is: ["X-Checksum: 5d41", "X-More: yes"])
            }
        },
        ConformanceRule("trailers-apart", "RFC 9110 §6.5.1", "Trailers are not among the fields of the head") { bench in
            let answer = try await bench.answer(
                toGetting: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\nX-Late: yes\r\nServer: x\r\n\r\n")
            try expect("the body", answer.text, is: "hello")
            try expect(!answer.response.headers.contains("X-Late"), "a trailer is among the fields of the head")
        },
    ])
}
