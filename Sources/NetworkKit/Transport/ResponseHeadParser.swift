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
    /// Whether the head may have a `Content-Encoding`: surely not, where no line says so.
    private(set) var mayBeCoded = false
    /// The length of the body, when the head states it and it counts.
    private(set) var contentLength: Int64?

    private var stage = Stage.statusLine
    /// The field lines of the block that is being read, each ended by a line feed.
    private var block: [UInt8] = []
    /// Of that block, the values that say where the body ends, while no line is folded.
    private var framing = Framing()

    private struct Framing {
        var lengths: [String] = []
        var codings: [String] = []
        var isFolded = false
    }

    /// Takes one line with its line end. Gives the interim answer that it completed, if it did.
    ///
    /// - Throws: ``RequestError/connection(_:)`` of kind `malformed` for what can't be the head of an answer.
    mutating func take(_ line: UnsafeRawBufferPointer) throws(RequestError) {
        byteCount += line.count
        guard byteCount <= Self.byteLimit else { throw .malformed("the answer's fields are longer than \(Self.byteLimit) bytes") }
        let content = FieldLines.withoutLineEnd(line)
        switch stage {
        case .statusLine:
            // Blank lines between an interim answer and the next are none of ours.
            guard !content.isEmpty else { return }
            status = try Self.status(content)
            mayBeCoded = false
            guard status != 101 else {
                throw .malformed("the server answered 101 Switching Protocols, which nobody had asked for")
            }
            block.reserveCapacity(512)
            stage = .fields
        case .fields:
            if content.isEmpty { return try endBlock() }
            note(content)
            keep(content, of: line)
        case .trailers:
            if content.isEmpty { endTrailers() } else { keep(content, of: line) }
        }
    }

    /// The trailers may end with the body and without a blank line.
    mutating func endTrailers() {
        if stage == .trailers, !block.isEmpty { trailers = HTTPFields(ReceivedFields(block)) }
    }

    /// Keeps a line in the block, where a line feed ends it: one within it becomes the space that it will be read as.
    private mutating func keep(_ content: UnsafeRawBufferPointer, of line: UnsafeRawBufferPointer) {
        guard content.count < line.count, let base = content.baseAddress, memchr(base, 0x0A, content.count) == nil else {
            block.append(contentsOf: content.lazy.map { $0 == 0x0A ? 0x20 : $0 })
            return block.append(0x0A)
        }
        // Nearly all lines: with their end, which a reader passes over.
        block.append(contentsOf: line)
    }

    private mutating func endBlock() throws(RequestError) {
        let fields = HTTPFields(ReceivedFields(block))
        block = []
        if framing.isFolded {
            framing.lengths = fields[values: .contentLength]
            framing.codings = fields[values: .transferEncoding]
        }
        defer { framing = Framing() }
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

    /// Remembers what a line says of where the body ends: the only fields that every answer is asked for.
    private mutating func note(_ line: UnsafeRawBufferPointer) {
        switch line.first {
        case UInt8(ascii: "C"), UInt8(ascii: "c"):
            if isLine(line, named: .contentLength) { framing.lengths.append(FieldLines.value(of: line)) }
            if isLine(line, named: .contentEncoding) { mayBeCoded = true }
        case UInt8(ascii: "T"), UInt8(ascii: "t"):
            if isLine(line, named: .transferEncoding) { framing.codings.append(FieldLines.value(of: line)) }
        case UInt8(ascii: " "), UInt8(ascii: "\t"):
            framing.isFolded = true
        default: break
        }
    }

    private func isLine(_ line: UnsafeRawBufferPointer, named name: HTTPField.Name) -> Bool {
        FieldLines.name(of: line).map { name.isSpelled($0) } ?? false
    }

    /// RFC 9112 §6.3: an answer that contradicts itself about where it ends can't be read.
    private mutating func checkFraming() throws(RequestError) {
        if !framing.codings.isEmpty {
            let coding = framing.codings.joined(separator: ", ")
            let codings = coding.split(separator: ",").map { $0.trimmingSpaces().lowercased() }
            // A single word that is the name of no coding says nothing of the body, which then ends with the connection.
            if codings.count == 1, !Self.transferCodings.contains(codings[0]) { return }
            guard codings == ["chunked"] || codings == ["identity"] else {
                throw .malformed("the answer has a transfer coding that wasn't asked for: \(Token.quoted(coding))")
            }
            // The length doesn't count beside chunks (RFC 9112 §6.3).
            if codings == ["chunked"] { return }
        }
        if !framing.lengths.isEmpty { contentLength = try ContentLength.value(framing.lengths) }
    }

    /// The registered names (RFC 9112 §7).
    private static let transferCodings: Set<String> = ["chunked", "identity", "gzip", "x-gzip", "deflate", "compress", "x-compress", ""]

    private static func status(_ line: UnsafeRawBufferPointer) throws(RequestError) -> HTTPStatus {
        if let code = plainStatus(line) { return HTTPStatus(code) }
        guard let space = line.firstIndex(of: UInt8(ascii: " ")) else {
            throw .malformed("the status line \(Token.quoted(Token.text(line))) has no status")
        }
        let digits = line[line.index(after: space)...].drop { $0 == UInt8(ascii: " ") }.prefix { $0 != UInt8(ascii: " ") }
        guard digits.count == 3, let code = Int(String(decoding: digits, as: UTF8.self)), code >= 100 else {
            throw .malformed("the status line \(Token.quoted(Token.text(line))) has no status")
        }
        return HTTPStatus(code)
    }

    /// The status of a line as nearly all are, `HTTP/1.1 200 OK`.
    private static func plainStatus(_ line: UnsafeRawBufferPointer) -> Int? {
        guard line.count >= 12, line[8] == UInt8(ascii: " "), line.count == 12 || line[12] == UInt8(ascii: " ") else { return nil }
        var code = 0
        for byte in line[9..<12] {
            guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
            code = code * 10 + Int(byte - UInt8(ascii: "0"))
        }
        // A space earlier in the line would make the status stand elsewhere.
        return code >= 100 && !line[..<8].contains(UInt8(ascii: " ")) ? code : nil
    }
}
#endif
