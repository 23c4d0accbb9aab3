internal import NetworkKit

extension LoopbackResponse {
    /// The answer compressed with gzip (RFC 1952), and `Content-Encoding: gzip`. It takes the body as it is at this point: a
    /// ``chunked(into:)`` or a fault that counts bytes comes after it and counts compressed ones.
    public func gzipped() -> LoopbackResponse { coded(.gzip, as: "gzip") }

    /// The answer compressed as `deflate` means it: in the format of zlib (RFC 1950).
    public func deflated() -> LoopbackResponse { coded(.zlib, as: "deflate") }

    /// The answer compressed as some servers mean `deflate`: bare (RFC 1951), without the format of zlib around it.
    public func deflatedRaw() -> LoopbackResponse { coded(.raw, as: "deflate") }

    private func coded(_ format: Deflater.Format, as coding: String) -> LoopbackResponse {
        with {
            $0.body = $0.body.compressed(format)
            $0.headers.append(HTTPField(name: .contentEncoding, value: coding))
        }
    }
}
