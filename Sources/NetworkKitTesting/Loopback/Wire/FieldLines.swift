internal import NetworkKit

/// Header and trailer fields as lines (RFC 9112 §5), read as strictly as a server may.
enum FieldLines {
    static func parse(_ lines: ArraySlice<[UInt8]>) throws(LoopbackError) -> HTTPFields {
        var fields: [HTTPField] = []
        fields.reserveCapacity(lines.count)
        for line in lines { fields.append(try parse(line)) }
        return HTTPFields(fields)
    }

    private static func parse(_ line: [UInt8]) throws(LoopbackError) -> HTTPField {
        guard line.first != UInt8(ascii: " "), line.first != UInt8(ascii: "\t") else { throw .malformed("a folded header line") }
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { throw .malformed("a header line without a colon") }
        let name = text(line[..<colon])
        // A space before the colon is read in different ways by different servers (RFC 9112 §5.1).
        guard Token.isValid(name) else { throw .malformed("\(Token.quoted(name)) is no field name") }
        let value = trimmed(line[(colon + 1)...])
        let isValid = value.allSatisfy { ($0 >= 0x20 && $0 != 0x7F) || $0 == 0x09 }
        guard isValid else { throw .malformed("the value of \(name) holds a control character") }
        return HTTPField(name: HTTPField.Name(name), value: text(value))
    }

    static func text(_ bytes: some Collection<UInt8>) -> String {
        bytes.withContiguousStorageIfAvailable { Token.text(UnsafeRawBufferPointer($0)) } ?? String(decoding: bytes, as: UTF8.self)
    }

    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let isSpace: (UInt8) -> Bool = { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        guard let first = bytes.firstIndex(where: { !isSpace($0) }), let last = bytes.lastIndex(where: { !isSpace($0) }) else { return [] }
        return bytes[first...last]
    }
}
