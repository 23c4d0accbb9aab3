#if canImport(CCurl)
internal import PlatformBase

/// Reads the lines of an answer's head, of those before it and of its trailers (RFC 9112 §4, §5), as libcurl hands them over.
struct ResponseHeadParser {
    /// The most bytes of all field lines of one answer.
    static let byteLimit = 256 * 1024

    private enum Stage {
        case statusLine
        case fields
        case trailers
    }

    private(set) var status = HTTPStatus(0)
    private(set) var headers = HTTPFields()
    private(set) var interim: [(status: HTTPStatus, headers: HTTPFields)] = []
    private(set) var trailers = HTTPFields()
    private(set) var byteCount = 0
    /// Whether the head of the final answer is whole.
    private(set) var isComplete = false
    /// The length of the body, when the head states it and it counts.
    private(set) var contentLength: Int64?

    private var stage = Stage.statusLine
    private var lines: [HTTPField] = []

    /// Takes one line with its line end. Gives the interim answer that it completed, if it did.
    ///
    /// - Throws: ``RequestError/connection(_:)`` of kind `malformed` for what can't be the head of an answer.
    mutating func take(_ line: UnsafeRawBufferPointer) throws(RequestError) {
        byteCount += line.count
        guard byteCount <= Self.byteLimit else { throw .malformed("the answer's fields are longer than \(Self.byteLimit) bytes") }
        let content = Self.withoutLineEnd(line)
        switch stage {
        case .statusLine:
            // Blank lines between an interim answer and the next are none of ours.
            guard !content.isEmpty else { return }
            status = try Self.status(content)
            guard status != 101 else {
                throw .malformed("the server answered 101 Switching Protocols, which nobody had asked for")
            }
            lines = []
            lines.reserveCapacity(16)
            stage = .fields
        case .fields:
            if content.isEmpty { try endBlock() } else { add(content) }
        case .trailers:
            if content.isEmpty { trailers = HTTPFields(lines) } else { add(content) }
        }
    }

    /// The trailers may end with the body and without a blank line.
    mutating func endTrailers() {
        if stage == .trailers { trailers = HTTPFields(lines) }
    }

    private mutating func endBlock() throws(RequestError) {
        let fields = HTTPFields(lines)
        lines = []
        if status.isInformational {
            interim.append((status, fields))
            stage = .statusLine
        } else {
            headers = fields
            try checkFraming()
            isComplete = true
            stage = .trailers
        }
    }

    /// RFC 9112 §6.3: an answer that contradicts itself about where it ends can't be read.
    private mutating func checkFraming() throws(RequestError) {
        if let coding = headers[.transferEncoding] {
            let codings = coding.split(separator: ",").map { $0.trimmingSpaces().lowercased() }
            guard codings == ["chunked"] || codings == ["identity"] else {
                throw .malformed("the answer has a transfer coding that wasn't asked for: \(Token.quoted(coding))")
            }
            // The length doesn't count beside chunks (RFC 9112 §6.3).
            if codings == ["chunked"] { return }
        }
        contentLength = try ContentLength.value(headers[values: .contentLength])
    }

    /// Adds a field line. What has no name can't be a field and is passed over; a folded line belongs to the one before it
    /// (RFC 9112 §5.2).
    private mutating func add(_ line: UnsafeRawBufferPointer) {
        if line.first == UInt8(ascii: " ") || line.first == UInt8(ascii: "\t") {
            guard !lines.isEmpty else { return }
            let more = Self.value(line[...])
            if !more.isEmpty { lines[lines.count - 1].value += (lines[lines.count - 1].value.isEmpty ? "" : " ") + more }
            return
        }
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return }
        let name = Self.trimmed(line[..<colon])
        guard !name.isEmpty, name.allSatisfy(Token.isTokenByte) else { return }
        lines.append(
            HTTPField(name: HTTPField.Name(String(decoding: name, as: UTF8.self)), value: Self.value(line[(colon + 1)...])))
    }

    /// The value as text. What could begin another line where the value is written again becomes a space (RFC 9110 §5.5).
    private static func value(_ bytes: Slice<UnsafeRawBufferPointer>) -> String {
        let bytes = trimmed(bytes)
        let text = Token.text(UnsafeRawBufferPointer(rebasing: bytes))
        guard bytes.contains(where: isLineBreaking) else { return text }
        return String(decoding: text.utf8.map { isLineBreaking($0) ? 0x20 : $0 }, as: UTF8.self)
    }

    private static func isLineBreaking(_ byte: UInt8) -> Bool { byte == 0x00 || byte == 0x0A || byte == 0x0D }

    private static func status(_ line: UnsafeRawBufferPointer) throws(RequestError) -> HTTPStatus {
        guard let space = line.firstIndex(of: UInt8(ascii: " ")) else {
            throw .malformed("the status line \(Token.quoted(Token.text(line))) has no status")
        }
        let digits = line[line.index(after: space)...].drop { $0 == UInt8(ascii: " ") }.prefix { $0 != UInt8(ascii: " ") }
        guard digits.count == 3, let code = Int(String(decoding: digits, as: UTF8.self)), code >= 100 else {
            throw .malformed("the status line \(Token.quoted(Token.text(line))) has no status")
        }
        return HTTPStatus(code)
    }

    private static func withoutLineEnd(_ line: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        var end = line.count
        if end > 0, line[end - 1] == 0x0A { end -= 1 }
        if end > 0, line[end - 1] == 0x0D { end -= 1 }
        return UnsafeRawBufferPointer(rebasing: line[..<end])
    }

    private static func trimmed(_ bytes: Slice<UnsafeRawBufferPointer>) -> Slice<UnsafeRawBufferPointer> {
        let isSpace: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
        guard let first = bytes.firstIndex(where: { !isSpace($0) }), let last = bytes.lastIndex(where: { !isSpace($0) }) else {
            return bytes[bytes.startIndex..<bytes.startIndex]
        }
        return bytes[first...last]
    }
}
#endif
