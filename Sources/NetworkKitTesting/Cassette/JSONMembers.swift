internal import NetworkKit
internal import PlatformBase

/// Masks members of JSON in its bytes, so that all else stays as it came: order, white space, the spelling of numbers, and what isn't
/// valid, be it that it is no UTF-8.
enum JSONMembers {
    /// The bytes with the values of these members masked, and what these values were. Only texts and numbers are masked, not objects
    /// and lists: what they hold is looked through by itself.
    static func masking(_ names: Set<String>, in bytes: [UInt8]) -> (masked: [UInt8], values: [String]) {
        guard !names.isEmpty else { return (bytes, []) }
        var result: [UInt8] = []
        var values: [String] = []
        var index = 0
        while index < bytes.count {
            guard bytes[index] == quote else {
                result.append(bytes[index])
                index += 1
                continue
            }
            let end = endOfString(bytes, from: index)
            result += bytes[index..<end]
            let name = String(decoding: bytes[index..<end].dropFirst().dropLast(), as: UTF8.self)
            index = end
            guard names.contains(name) else { continue }
            var start = skipSpace(bytes, from: end)
            guard start < bytes.count, bytes[start] == UInt8(ascii: ":") else { continue }
            start = skipSpace(bytes, from: start + 1)
            guard let valueEnd = endOfScalar(bytes, from: start) else { continue }
            result += bytes[end..<start] + Array("\"\(SecretValues.mask)\"".utf8)
            values.append(value(bytes[start..<valueEnd]))
            index = valueEnd
        }
        return (result, values)
    }

    private static let quote = UInt8(ascii: "\"")

    /// The value as a reader of the JSON has it.
    private static func value(_ bytes: ArraySlice<UInt8>) -> String {
        let text = TapeMask.reading(bytes)
        return (try? JSONDecoder().decode(String.self, from: Data(text.utf8))) ?? text
    }

    private static func endOfString(_ bytes: [UInt8], from start: Int) -> Int {
        var index = start + 1
        while index < bytes.count, bytes[index] != quote { index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1 }
        return min(index + 1, bytes.count)
    }

    private static func skipSpace(_ bytes: [UInt8], from start: Int) -> Int {
        bytes[start...].firstIndex { ![0x20, 0x09, 0x0A, 0x0D].contains($0) } ?? bytes.count
    }

    private static func endOfScalar(_ bytes: [UInt8], from start: Int) -> Int? {
        guard start < bytes.count else { return nil }
        if bytes[start] == quote { return endOfString(bytes, from: start) }
        let isNumber = bytes[start] == UInt8(ascii: "-") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[start])
        guard isNumber else { return nil }
        return bytes[start...].firstIndex { [0x20, 0x09, 0x0A, 0x0D].contains($0) || ",}]".utf8.contains($0) } ?? bytes.count
    }
}
