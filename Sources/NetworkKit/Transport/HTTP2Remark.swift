#if canImport(CCurl)
internal import PlatformBase

/// What libcurl says of HTTP/2 in passing, in the texts that it has for people. No code of it tells that a server did not process a
/// request, nor that a server has given a connection up, so its words are read. Where a version has other words nothing is learnt,
/// and a request that may have run isn't sent again.
enum HTTP2Remark: Equatable {
    /// The number of the stream that the request goes on.
    case stream(UInt32)
    /// The server refused the stream, and did not process it (RFC 9113 §8.7).
    case refused
    /// The server takes no further stream of the connection.
    case goAway(HTTP2GoAway)

    init?(_ text: UnsafeRawBufferPointer) {
        switch text.first {
        case UInt8(ascii: "U") where Self.begins(text, with: "Using Stream ID: "):
            guard let stream = Self.number(in: text, after: ": ") else { return nil }
            self = .stream(stream)
        case UInt8(ascii: "["):
            guard Self.begins(text, with: "[HTTP/2] ["), Self.end(of: "] OPENED stream", in: text) != nil,
                let stream = Self.number(in: text, after: "] [")
            else { return nil }
            self = .stream(stream)
        case UInt8(ascii: "R") where Self.begins(text, with: "REFUSED_STREAM"): self = .refused
        // 7.88 misspells it.
        case UInt8(ascii: "r") where Self.begins(text, with: "received GOAWAY") || Self.begins(text, with: "recveived GOAWAY"):
            guard let error = Self.number(in: text, after: "error="), let last = Self.number(in: text, after: "last_stream=") else {
                return nil
            }
            self = .goAway(HTTP2GoAway(lastStream: last, error: error))
        default: return nil
        }
    }

    private static func begins(_ text: UnsafeRawBufferPointer, with word: StaticString) -> Bool {
        guard let start = text.baseAddress, text.count >= word.utf8CodeUnitCount else { return false }
        return memcmp(start, word.utf8Start, word.utf8CodeUnitCount) == 0
    }

    /// Where the text goes on behind a word.
    private static func end(of word: StaticString, in text: UnsafeRawBufferPointer) -> Int? {
        guard text.count >= word.utf8CodeUnitCount else { return nil }
        for start in 0...(text.count - word.utf8CodeUnitCount) where begins(.init(rebasing: text[start...]), with: word) {
            return start + word.utf8CodeUnitCount
        }
        return nil
    }

    private static func number(in text: UnsafeRawBufferPointer, after word: StaticString) -> UInt32? {
        guard let start = end(of: word, in: text) else { return nil }
        let digits = text[start...].prefix { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
        return UInt32(String(decoding: digits, as: UTF8.self))
    }
}

/// A server's word that it takes no further stream of a connection (RFC 9113 §6.8).
struct HTTP2GoAway: Equatable {
    /// The last stream that it has processed or may yet process. What is on a later one it has not.
    var lastStream: UInt32
    /// Why; 0 when it is only shutting down, and will answer what it has taken.
    var error: UInt32

    /// With another word that came on the same connection: a server may first announce, and then say how far it got.
    func merged(with other: HTTP2GoAway) -> HTTP2GoAway {
        HTTP2GoAway(lastStream: min(lastStream, other.lastStream), error: other.error == 0 ? error : other.error)
    }

    /// The name of the error (RFC 9113 §7).
    var name: String {
        let names = [
            "NO_ERROR", "PROTOCOL_ERROR", "INTERNAL_ERROR", "FLOW_CONTROL_ERROR", "SETTINGS_TIMEOUT", "STREAM_CLOSED", "FRAME_SIZE_ERROR",
            "REFUSED_STREAM", "CANCEL", "COMPRESSION_ERROR", "CONNECT_ERROR", "ENHANCE_YOUR_CALM", "INADEQUATE_SECURITY",
            "HTTP_1_1_REQUIRED",
        ]
        return Int(error) < names.count ? names[Int(error)] : "error \(error)"
    }
}

/// A connection as the system tells it apart from others: by address and port of its two ends. Ports alone won't do: one of ours may be
/// used for connections to several hosts at once.
struct ConnectionEnds: Hashable {
    let local: Int32
    let remote: Int32
    /// Made of the two addresses.
    private let addresses: Int

    /// `nil` for a connection without ports, such as one to a socket in the file system.
    init?(local: Int32, remote: Int32, addresses: [UnsafePointer<CChar>?] = []) {
        guard local > 0, remote > 0 else { return nil }
        self.local = local
        self.remote = remote
        var hasher = Hasher()
        for case let address? in addresses {
            hasher.combine(bytes: UnsafeRawBufferPointer(start: address, count: strlen(address) + 1))
        }
        self.addresses = hasher.finalize()
    }
}
#endif
