internal import NetworkKit
internal import PlatformBase

/// Masks the values of `name=value` items in bytes. It goes by bytes: as characters, a line's end of two is one, and an equals sign with a
/// combining mark is none.
enum TapeItems {
    /// The items of a form.
    static func masking(_ names: RuleNames, inForm bytes: [UInt8]) -> (masked: [UInt8], values: [String]) {
        var values: [String] = []
        let items = bytes.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false).map { item -> ArraySlice<UInt8> in
            guard let equals = item.firstIndex(of: UInt8(ascii: "=")), hasName(item[..<equals], of: names) else { return item }
            values.append(TapeMask.reading(item[(equals + 1)...]))
            return item[...equals] + mask
        }
        return (Array(items.joined(separator: "&".utf8)), values)
    }

    /// The items of the queries of URLs, wherever these stand: in a field, in JSON, in HTML, and escaped as that asks for.
    static func masking(_ names: RuleNames, inLinks bytes: [UInt8]) -> (masked: [UInt8], values: [String]) {
        guard !names.isEmpty else { return (bytes, []) }
        var result: [UInt8] = []
        var values: [String] = []
        var (copied, index) = (0, 0)
        while let sign = bytes[index...].firstIndex(where: { separators.contains($0) }) {
            index = sign + 1
            guard let start = beginning(bytes, behind: sign), let (end, value) = equalsSign(bytes, from: start) else { continue }
            guard hasName(bytes[start..<end], of: names) else { continue }
            index = endOfValue(bytes, from: value)
            values.append(unescaped(bytes[value..<index]))
            result += bytes[copied..<value] + mask
            copied = index
        }
        return (result + bytes[copied...], values)
    }

    private static let mask = Array(SecretValues.mask.utf8)

    private static func hasName(_ bytes: some Collection<UInt8>, of names: RuleNames) -> Bool {
        names.contains(PercentEncoding.decode(TapeMask.reading(bytes)))
    }

    /// What an item may stand behind, or its escape begin with. A token may also come in a fragment (RFC 6749 §4.2.2).
    private static let separators = Array("?&#\\".utf8)

    /// The ampersand as HTML has it, without its sign.
    private static let entities = ["amp;", "#38;", "#x26;"].map { Array($0.utf8) }

    /// What ends an item, besides the separators.
    private static let ends = Array("?&#<>\"' \t\r\n".utf8)

    /// Where the item behind a separator begins; `nil` where there is none.
    private static func beginning(_ bytes: [UInt8], behind sign: Int) -> Int? {
        switch bytes[sign] {
        case UInt8(ascii: "\\"):
            guard let unit = codeUnit(bytes, at: sign), separators.contains(unit) else { return nil }
            return sign + 6
        case UInt8(ascii: "&"):
            let rest = bytes[(sign + 1)...]
            return sign + 1 + (entities.first { rest.starts(with: $0) }?.count ?? 0)
        default: return sign + 1
        }
    }

    /// Where a name ends and its value begins. No name is longer than the bound, so that a text of nothing but separators takes no longer
    /// than its length asks for.
    private static func equalsSign(_ bytes: [UInt8], from start: Int) -> (end: Int, value: Int)? {
        for index in start..<min(bytes.count, start + 256) {
            let byte = bytes[index]
            if byte == UInt8(ascii: "=") { return (index, index + 1) }
            if byte == UInt8(ascii: "\\") { return codeUnit(bytes, at: index) == UInt8(ascii: "=") ? (index, index + 6) : nil }
            if ends.contains(byte) { return nil }
        }
        return nil
    }

    private static func endOfValue(_ bytes: [UInt8], from start: Int) -> Int {
        var index = start
        while index < bytes.count, !ends.contains(bytes[index]) {
            guard bytes[index] == UInt8(ascii: "\\") else {
                index += 1
                continue
            }
            // Escaped, a character may be a part of the value, such as a slash, or end it, such as an ampersand.
            if index + 1 < bytes.count, bytes[index + 1] == UInt8(ascii: "/") {
                index += 2
            } else if let unit = codeUnit(bytes, at: index), !ends.contains(unit) {
                index += 6
            } else {
                return index
            }
        }
        return index
    }

    /// The ASCII character of a JSON escape.
    private static func codeUnit(_ bytes: [UInt8], at index: Int) -> UInt8? {
        guard index + 5 < bytes.count, bytes[index + 1] == UInt8(ascii: "u"), bytes[index + 2] == UInt8(ascii: "0"),
            bytes[index + 3] == UInt8(ascii: "0"), let high = PercentEncoding.hexValue(bytes[index + 4]),
            let low = PercentEncoding.hexValue(bytes[index + 5])
        else { return nil }
        return high << 4 | low
    }

    private static func unescaped(_ value: ArraySlice<UInt8>) -> String {
        let text = TapeMask.reading(value)
        guard value.contains(UInt8(ascii: "\\")) else { return text }
        return (try? JSONDecoder().decode(String.self, from: Data("\"\(text)\"".utf8))) ?? text
    }
}
