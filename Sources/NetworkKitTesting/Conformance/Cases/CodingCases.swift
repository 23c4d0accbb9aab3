internal import NetworkKit
internal import PlatformBase

extension TransportConformance {
    static let codingCases = Area.codings.cases([
        ConformanceRule("gzip", "RFC 9110 §8.4.1.3", "gzip is asked for and decoded") { bench in
            try await bench.expectDecoded("gzip", SampleText.answer.gzipped())
        },
        ConformanceRule("gzip-in-pieces", "RFC 9110 §8.4.1.3", "gzip is decoded however it is cut into chunks") { bench in
            try await bench.expectDecoded("gzip", SampleText.answer.gzipped().chunked(into: 1))
        },
        ConformanceRule("deflate-zlib", "RFC 9110 §8.4.1.2", "deflate in the format of zlib is decoded") { bench in
            try await bench.expectDecoded("deflate", SampleText.answer.deflated())
        },
        ConformanceRule("deflate-raw", "RFC 9110 §8.4.1.2", "deflate without the format of zlib, as some servers send it, is decoded") {
            bench in
            try await bench.expectDecoded("deflate", SampleText.answer.deflatedRaw())
        },
        ConformanceRule("brotli", "RFC 7932", "br is decoded where it is asked for") { bench in
            try await bench.expectDecoded("br", SampleText.coded("br", SampleText.brotli))
        },
        ConformanceRule("zstd", "RFC 8878", "zstd is decoded where it is asked for") { bench in
            try await bench.expectDecoded("zstd", SampleText.coded("zstd", SampleText.zstd))
        },
        ConformanceRule("identity", "RFC 9110 §8.4", "A body said to be in identity is as it is") { bench in
            let server = try await bench.serve { routes in
                routes.get("/") { _ in SampleText.answer.adding(["Content-Encoding": "identity"]) }
            }
            try expect("the body", try await bench.answer(server.baseURL).text, is: SampleText.text)
        },
        ConformanceRule("codings-in-order", "RFC 9110 §8.4", "Several codings are undone in the order opposite to theirs") { bench in
            try await bench.expectDecoded("gzip", SampleText.answer.gzipped().deflated())
        },
        ConformanceRule("coded-fields-gone", "Transport", "No field of a decoded answer tells of the coded one") { bench in
            let server = try await bench.serve { routes in
                routes.get("/") { _ in SampleText.answer.gzipped().adding(["X-Kept": "yes"]) }
            }
            let headers = try await bench.answer(server.baseURL).response.headers
            try expect("Content-Encoding", headers[.contentEncoding], is: nil)
            let length = headers[.contentLength]
            try expect(length == nil || length == "\(SampleText.text.utf8.count)", "Content-Length is the coded one: \(length ?? "")")
            try expect("X-Kept", headers["X-Kept"], is: "yes")
        },
        ConformanceRule("gzip-empty", "RFC 9110 §8.4", "An answer in gzip without a byte of body is empty") { bench in
            let server = try await bench.serve { routes in
                routes.any("/") { _ in .data(Data(), headers: ["Content-Encoding": "gzip"]) }
            }
            try expect("the body", try await bench.answer(server.baseURL).body, is: Data())
        },
        ConformanceRule("gzip-to-head", "RFC 9110 §9.3.2", "An answer to HEAD keeps the fields that tell of the body") { bench in
            let server = try await bench.serve { routes in routes.get("/") { _ in SampleText.answer.gzipped() } }
            let answer = try await bench.answer(server.baseURL, .head)
            try expect("the body", answer.body, is: Data())
            try expect("Content-Encoding", answer.response.headers[.contentEncoding], is: "gzip")
        },
        ConformanceRule("gzip-damaged", "RFC 1952 §2.3.1", "A damaged body in gzip is an error behind the head") { bench in
            try await bench.expectUndecodable { $0[$0.count / 2] ^= 0xFF }
        },
        ConformanceRule("gzip-checksum", "RFC 1952 §2.3.1", "A body in gzip whose checksum is wrong is an error") { bench in
            try await bench.expectUndecodable { $0[$0.count - 8] ^= 0xFF }
        },
        ConformanceRule("gzip-not", "RFC 1952 §2.3.1", "A body that is said to be in gzip, and isn't, is an error behind the head") {
            bench in
            try await bench.expectUndecodable { $0 = Data("plain".utf8) }
        },
        ConformanceRule("gzip-truncated", "RFC 1952 §2.3.1", "A body in gzip that breaks off is never a short success") { bench in
            try await bench.expectUndecodable { $0.removeLast(12) }
            try await bench.expectUndecodable { $0 = $0.prefix(20) }
        },
        ConformanceRule("unknown-coding", "Transport", "A coding that nobody knows is left in place, field and all") { bench in
            let server = try await bench.serve { routes in
                routes.get("/") { _ in SampleText.answer.adding(["Content-Encoding": "rot13"]) }
            }
            let answer = try await bench.answer(server.baseURL)
            try expect("Content-Encoding", answer.response.headers[.contentEncoding], is: "rot13")
            try expect("the body", answer.text, is: SampleText.text)
        },
        ConformanceRule("own-accept-encoding", "RFC 9110 §12.5.3", "Who asks for codings gets the bytes as they were sent") { bench in
            try await bench.expectUndecoded(["Accept-Encoding": "gzip;q=0.5"])
        },
        ConformanceRule("range-undecoded", "RFC 9110 §14.1.2", "Who asks for a range gets the bytes as they were sent") { bench in
            try await bench.expectUndecoded(["Range": "bytes=0-"])
        },
    ])
}

/// A text, and what codings make of it.
private enum SampleText {
    static let text = String(repeating: "The quick brown fox jumps over the lazy dog. ", count: 8)
    static let brotli = "G2cBiCwOeNPQlV2XELsXK6nK0JLMjK1BXObyNsgZnp4Ke4MNOHBIIG8kvEGnFc4cHieqKTjCqe/TYA=="
    static let zstd = "KLUv/QRotQEA1AJUaGUgcXVpY2sgYnJvd24gZm94IGp1bXBzIG92ZXIgdGhlIGxhenkgZG9nLiABAMWBqioD5CGx5g=="

    static var answer: LoopbackResponse { .text(text) }
    static var gzip: Data { Deflater.compressed(Data(text.utf8), .gzip) }

    static func coded(_ coding: String, _ base64: String) -> LoopbackResponse {
        .data(Data(base64Encoded: base64) ?? Data(), headers: ["Content-Encoding": coding])
    }
}

extension ConformanceBench {
    /// Has a coded answer read, whose coding the request must have asked for. br and zstd need not be asked for.
    fileprivate func expectDecoded(_ coding: String, _ response: LoopbackResponse) async throws {
        let server = try await serve { routes in
            routes.get("/plain") { _ in .text("") }
            routes.get("/coded") { _ in response }
        }
        _ = try await answer(server.url("/plain"))
        let asked = (server.requests.first?.headers[.acceptEncoding] ?? "").lowercased()
        let isAsked = asked.split(separator: ",").contains { $0.split(separator: ";")[0].filter { $0 != " " } == coding }
        if !isAsked, coding == "br" || coding == "zstd" { throw ConformanceSkip("the transport doesn't ask for \(coding)") }
        try expect(isAsked, "\(coding) isn't asked for: Accept-Encoding is \(Token.quoted(asked))")
        for delivery in [CallContext.Delivery.stream, .value] {
            try expect("the body", try await answer(server.url("/coded"), delivery: delivery).text, is: SampleText.text)
        }
    }

    /// The head of a damaged answer comes, and reading its body fails; who wants a value gets no answer.
    fileprivate func expectUndecodable(_ damage: (inout Data) -> Void) async throws {
        var bytes = SampleText.gzip
        damage(&bytes)
        let server = try await serve { [bytes] routes in
            routes.get("/") { _ in .data(bytes, headers: ["Content-Encoding": "gzip"]) }
        }
        let response = try await send(server.baseURL)
        try expect("the status", response.status.code, is: 200)
        _ = try await expectBrokenBody(response, "reading the body")
        _ = try await failure("the call for a value") { () async throws(RequestError) in
            try await self.answer(server.baseURL, delivery: .value)
        }
    }

    fileprivate func expectUndecoded(_ headers: HTTPFields) async throws {
        let server = try await serve { routes in routes.get("/") { _ in SampleText.answer.gzipped() } }
        let answer = try await answer(server.baseURL, headers: headers)
        try expect("the body", answer.body, is: SampleText.gzip)
        try expect("Content-Encoding", answer.response.headers[.contentEncoding], is: "gzip")
        let sent = server.requests.first?.headers[values: .acceptEncoding] ?? []
        if headers.contains(.acceptEncoding) { try expect("Accept-Encoding", sent, is: headers[values: .acceptEncoding]) }
    }
}
