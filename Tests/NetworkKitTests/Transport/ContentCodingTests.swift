#if canImport(CCurl)
import Foundation
import Testing

@testable import NetworkKit

@Suite("Content codings")
struct ContentCodingTests {
    private func decoded(
        _ coding: String?, _ chunks: [Data], status: HTTPStatus = 200, method: HTTPMethod = .get, then ending: RequestError? = nil
    ) -> HTTPResponse {
        var headers: HTTPFields = ["Content-Length": chunks.reduce(0) { $0 + $1.count }, "X": "y"]
        headers[.contentEncoding] = coding
        let head = ResponseHead(status: status, headers: headers, url: url("https://h.test"))
        return ContentCoding.decoded(
            HTTPResponse(head: head, body: ResponseBody(ChunkSequence(chunks, then: ending))),
            of: HTTPRequest(url: head.url, method: method))
    }

    @Test("Codings are asked for, unless the caller asks for codings or a range")
    func negotiation() {
        #expect(ContentCoding.isOurs(HTTPRequest(url: url("https://h.test"))))
        #expect("\(ContentCoding.field)".hasPrefix("Accept-Encoding: gzip, deflate"))
        for headers: HTTPFields in [["accept-encoding": "identity"], ["Range": "bytes=0-1"]] {
            #expect(!ContentCoding.isOurs(HTTPRequest(url: url("https://h.test"), headers: headers)))
        }
    }

    @Test("A decoded answer has neither the coding nor the coded length", arguments: ["gzip", "X-GZip", " gzip ", "identity, gzip"])
    func decoding(coding: String) async throws {
        let response = decoded(coding, Coded.deflated(Coded.text, .gzip).bytewise)
        #expect(response.headers.map(\.name.rawName) == ["X"])
        #expect(response.body.expectedLength == nil)
        #expect(try await response.body.collect(upTo: 1000) == Coded.text)
    }

    @Test("Codings one over another are taken off from the last")
    func layers() async throws {
        let coded = Coded.deflated(Coded.deflated(Coded.text, .zlib), .gzip)
        #expect(try await decoded("deflate, gzip", [coded]).body.collect(upTo: 1000) == Coded.text)
    }

    @Test(
        "A coding that nobody here knows, or too many of them, are left in place",
        arguments: ["lzma", "gzip, lzma", "gzip,gzip,gzip,gzip,gzip,gzip"])
    func unknown(coding: String) async throws {
        let response = decoded(coding, [Data("abc".utf8)])
        #expect(response.headers[.contentEncoding] == coding && response.headers[.contentLength] == "3")
        #expect(try await response.body.collect(upTo: 10) == Data("abc".utf8))
    }

    @Test("An answer without a body keeps its fields and fails in nothing")
    func bodyless() async throws {
        for response in [decoded("gzip", [], method: .head), decoded("gzip", [], status: 204), decoded("gzip", [], status: 304)] {
            #expect(response.headers[.contentEncoding] == "gzip")
            #expect(try await response.body.collect(upTo: 0).isEmpty)
        }
        #expect(try await decoded("gzip", []).body.collect(upTo: 0).isEmpty)
        #expect(decoded(nil, []).headers.count == 2)
    }

    @Test("A body that is cut off, corrupt or followed by something is an integrity fault")
    func faults() async {
        let coded = Coded.deflated(Coded.text, .gzip)
        for body in [coded.dropLast(), Data("<html>".utf8), coded + Data("x".utf8)] {
            let error = await failure { () async throws(RequestError) in try await decoded("gzip", [body]).body.collect(upTo: 1000) }
            guard case .integrity(let details) = error else { return #expect(error != nil, "expected integrity") }
            #expect(details.expected == "gzip")
        }
    }

    @Test("A connection that breaks off is what it is, not a fault of the coding")
    func connection() async {
        let coded = Coded.deflated(Coded.text, .gzip)
        let response = decoded("gzip", [coded.prefix(20)], then: .connection(.init(.init(kind: .truncated))))
        #expect(
            await failure { () async throws(RequestError) in try await response.body.collect(upTo: 1000) }?.connectionKind == .truncated)
    }

    @Test("The limit counts decoded bytes, and stops a bomb at once")
    func limit() async {
        let bomb = Coded.gzipBomb(mebibytes: 32)
        let error = await failure { () async throws(RequestError) in try await decoded("gzip", [bomb]).body.collect(upTo: 1 << 20) }
        guard case .responseTooLarge(let details) = error else { return #expect(error != nil, "expected responseTooLarge") }
        #expect(details.limit == 1 << 20)
    }
}
#endif
