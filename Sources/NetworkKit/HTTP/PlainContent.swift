package import PlatformBase

/// A body as it was before it was coded (RFC 9110 §8.4), for who masks secrets in it or compares it: coded, neither can be done.
package enum PlainContent {
    /// What is said where a body isn't kept.
    package static let isNotKept = "not kept: what it is coded with can't be decoded, and secrets in it not be masked"

    /// More than this is nothing to keep in a file for people.
    private static let limit = 64 << 20
    private static let pieceSize = 64 << 10

    /// The body decoded; `nil` when it can't be: because of a coding other than gzip and deflate, or because it isn't what its fields say.
    ///
    /// - Parameters:
    ///   - fields: the fields that go with it; `Content-Encoding` counts.
    ///   - isCut: whether these are only the first bytes. Then what they give is all there is to have.
    package static func of(_ data: Data, fields: HTTPFields, isCut: Bool = false) -> Data? {
        guard !data.isEmpty, fields.contains(.contentEncoding) else { return data }
        let codings = fields[values: .contentEncoding].flatMap { $0.split(separator: ",") }.map { $0.trimmingSpaces().lowercased() }
        var plain = data
        for coding in codings.reversed() where !coding.isEmpty && coding != "identity" {
            let format: ZlibDecoder.Format
            switch coding {
            case "gzip", "x-gzip": format = .gzip
            case "deflate": format = .deflate
            default: return nil
            }
            guard let decoded = decoded(plain, ZlibDecoder(format), isCut: isCut) else { return nil }
            plain = decoded
        }
        return plain
    }

    private static func decoded(_ data: Data, _ decoder: ZlibDecoder, isCut: Bool) -> Data? {
        var plain = Data()
        decoder.feed(data)
        do {
            while true {
                let piece = try decoder.produce(upTo: pieceSize)
                if piece.isEmpty { break }
                plain += piece
                guard plain.count <= limit else { return nil }
            }
        } catch {
            return nil
        }
        return decoder.isComplete || isCut ? plain : nil
    }
}
