internal import PlatformBase

/// The field lines of an answer as they came, read when somebody asks: most callers look at none or one of them.
final class ReceivedFields: Sendable {
    /// The lines, each ended by a line feed.
    private let lines: [UInt8]
    private let read = Lock<[HTTPField]?>(nil)

    init(_ lines: [UInt8]) { self.lines = lines }

    /// The fields that the lines are.
    var fields: [HTTPField] {
        read.withLock { read in
            if let read { return read }
            let fields = lines.withUnsafeBytes(FieldLines.fields)
            read = fields
            return fields
        }
    }

    /// Whether there may be a field of a name: surely not, where no line begins with it.
    func mayContain(_ name: HTTPField.Name) -> Bool {
        lines.withUnsafeBytes { FieldLines.hasLine(named: name, in: $0) }
    }
}

/// The grammar of field lines (RFC 9112 §5), read as leniently as it is safe.
enum FieldLines {
    /// The fields of a block of lines.
    static func fields(_ block: UnsafeRawBufferPointer) -> [HTTPField] {
        var fields: [HTTPField] = []
        fields.reserveCapacity(16)
        forEachLine(of: block) { line in
            add(line, to: &fields)
            return true
        }
        return fields
    }

    /// Whether a line begins with a name.
    static func hasLine(named name: HTTPField.Name, in block: UnsafeRawBufferPointer) -> Bool {
        var isFound = false
        forEachLine(of: block) { line in
            isFound = self.name(of: line).map { name.isSpelled($0) } ?? false
            return !isFound
        }
        return isFound
    }

    /// The name that a line begins with; `nil` for a line without one.
    static func name(of line: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let name = trimmed(line[..<colon])
        return name.isEmpty ? nil : name
    }

    /// The value that stands behind the name of a line.
    static func value(of line: UnsafeRawBufferPointer) -> String {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return "" }
        return value(line[(colon + 1)...])
    }

    /// Whether a line goes on with the field before it (RFC 9112 §5.2).
    static func isFolded(_ line: UnsafeRawBufferPointer) -> Bool {
        line.first == UInt8(ascii: " ") || line.first == UInt8(ascii: "\t")
    }

    static func withoutLineEnd(_ line: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        var end = line.count
        if end > 0, line[end - 1] == 0x0A { end -= 1 }
        if end > 0, line[end - 1] == 0x0D { end -= 1 }
        return UnsafeRawBufferPointer(rebasing: line[..<end])
    }

    private static func forEachLine(of block: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Bool) {
        var start = 0
        while start < block.count, let base = block.baseAddress {
            let end = memchr(base + start, 0x0A, block.count - start).map { base.distance(to: UnsafeRawPointer($0)) + 1 } ?? block.count
            let line = withoutLineEnd(UnsafeRawBufferPointer(rebasing: block[start..<end]))
            guard body(line) else { return }
            start = end
        }
    }

    /// Adds a line. What has no name can't be a field and is passed over.
    private static func add(_ line: UnsafeRawBufferPointer, to fields: inout [HTTPField]) {
        if isFolded(line) {
            guard let last = fields.indices.last else { return }
            let more = value(line[...])
            if !more.isEmpty { fields[last].value += (fields[last].value.isEmpty ? "" : " ") + more }
            return
        }
        guard let name = name(of: line), name.allSatisfy(Token.isTokenByte) else { return }
        fields.append(HTTPField(name: HTTPField.Name(String(decoding: name, as: UTF8.self)), value: value(of: line)))
    }

    /// The value as text. What could begin another line where the value is written again becomes a space (RFC 9110 §5.5).
    private static func value(_ bytes: Slice<UnsafeRawBufferPointer>) -> String {
        let bytes = trimmed(bytes)
        let text = Token.text(bytes)
        guard bytes.contains(where: isLineBreaking) else { return text }
        return String(decoding: text.utf8.map { isLineBreaking($0) ? 0x20 : $0 }, as: UTF8.self)
    }

    private static func isLineBreaking(_ byte: UInt8) -> Bool { byte == 0x00 || byte == 0x0A || byte == 0x0D }

    private static func trimmed(_ bytes: Slice<UnsafeRawBufferPointer>) -> UnsafeRawBufferPointer {
        let isSpace: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
        guard let first = bytes.firstIndex(where: { !isSpace($0) }), let last = bytes.lastIndex(where: { !isSpace($0) }) else {
            return UnsafeRawBufferPointer(rebasing: bytes[bytes.startIndex..<bytes.startIndex])
        }
        return UnsafeRawBufferPointer(rebasing: bytes[first...last])
    }
}
