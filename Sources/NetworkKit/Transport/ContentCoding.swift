#if canImport(CCurl)
internal import PlatformBase

/// Content codings (RFC 9110 §8.4): which are asked for, and how an answer is decoded.
///
/// libcurl could do it, but takes a coded body that breaks off for a whole one, and leaves fields that are no longer true.
enum ContentCoding {
    /// Whether codings are asked for and the answer decoded here: not when the caller asks for codings, or for a range of the coded
    /// bytes, itself.
    static func isOurs(_ request: HTTPRequest) -> Bool {
        request.hasPlainFields || !request.headers.contains(.acceptEncoding) && !request.headers.contains(.range)
    }

    /// The line that asks for them.
    static let field: StaticString =
        switch (BrotliDecoder.isAvailable, ZstdDecoder.isAvailable) {
        case (true, true): "Accept-Encoding: gzip, deflate, br, zstd"
        case (true, false): "Accept-Encoding: gzip, deflate, br"
        case (false, true): "Accept-Encoding: gzip, deflate, zstd"
        case (false, false): "Accept-Encoding: gzip, deflate"
        }

    /// The response with its body decoded, and without the fields that describe the coded one. A coding that nobody here knows is
    /// left in place, field and all.
    static func decoded(_ response: HTTPResponse, of request: HTTPRequest) -> HTTPResponse {
        guard request.method != .head, ![204, 304].contains(response.head.status.code),
            let field = response.head.headers[.contentEncoding]
        else { return response }
        let codings = field.split(separator: ",").map { $0.trimmingSpaces().lowercased() }.filter { $0 != "identity" && !$0.isEmpty }
        // Each layer costs memory; nobody codes five times but to exhaust it.
        guard !codings.isEmpty, codings.count <= 5, codings.allSatisfy({ decoder(for: $0) != nil }) else { return response }
        var response = response
        response.head.headers.removeAll(.contentEncoding)
        response.head.headers.removeAll(.contentLength)
        for coding in codings.reversed() {
            guard let make = decoder(for: coding) else { continue }
            response.body = response.body.map { DecodedBody($0, coding: coding, decoder: make()) }
        }
        return response
    }

    private static func decoder(for coding: String) -> (() -> sending any StreamDecoder)? {
        switch coding {
        case "gzip", "x-gzip": { ZlibDecoder(.gzip) }
        case "deflate": { ZlibDecoder(.deflate) }
        case "br" where BrotliDecoder.isAvailable: { BrotliDecoder() }
        case "zstd" where ZstdDecoder.isAvailable: { ZstdDecoder() }
        default: nil
        }
    }
}

/// A body decoded on its way to the reader, a piece at a time, so that a small answer can't become a large one in memory.
private final class DecodedBody: BodyWrapper {
    // Most coded answers are small; what fills a piece has more to come.
    private static let (firstPiece, largestPiece) = (16 * 1024, 256 * 1024)

    let source: any BodySource
    private let coding: String
    private let decoder: Lock<any StreamDecoder>
    private let pieceSize = Atomic(DecodedBody.firstPiece)

    init(_ source: any BodySource, coding: String, decoder: sending any StreamDecoder) {
        self.source = source
        self.coding = coding
        self.decoder = Lock(decoder)
    }

    var expectedLength: Int64? { nil }

    func next(isolation: isolated (any Actor)?) async throws(RequestError) -> Data? {
        while true {
            let piece = try produce()
            if !piece.isEmpty { return piece }
            guard let coded = try await source.next(isolation: isolation) else {
                guard decoder.withLock(\.isComplete) else { throw corrupt("it ends early") }
                return nil
            }
            decoder.withLock { $0.feed(coded) }
        }
    }

    private func produce() throws(RequestError) -> Data {
        let size = pieceSize.load(ordering: .relaxed)
        let result = decoder.withLock { decoder in
            Result { () throws(DecodingFault) in try decoder.produce(upTo: size) }
        }
        switch result {
        case .success(let piece):
            if piece.count == size { pieceSize.store(min(size * 2, Self.largestPiece), ordering: .relaxed) }
            return piece
        case .failure(let fault): throw corrupt(fault.reason)
        }
    }

    private func corrupt(_ reason: String) -> RequestError {
        source.end()
        return .integrity(
            .init(.init(expected: coding, actual: reason), reason: "the body is not whole or not valid as \(coding): \(reason)"))
    }
}
#endif
