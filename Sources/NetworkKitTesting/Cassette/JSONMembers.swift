internal import NetworkKit
internal import PlatformBase

/// Masks members of JSON in its bytes, so that all else stays as it came: order, white space, the spelling of numbers, and what isn't
/// valid, be it that it is no UTF-8. JSON may stand anywhere in the bytes: in lines of a stream, in a page's script.
enum JSONMembers {
    /// The bytes with the values of these members masked, and what these values were. Only texts and numbers are masked, not objects
    /// and lists: what they hold is looked through by itself.
    static func masking(_ names: RuleNames, in bytes: [UInt8]) -> (masked: [UInt8], values: [String]) {
        guard !names.isEmpty else { return (bytes, []) }
        var result: [UInt8] = []
        var values: [String] = []
        var (copied, index) = (0, 0)
        // Each quote may begin a name. In JSON every other one ends a text, and what stands between that and the next is no name; elsewhere
        // nobody knows which is which.
        while let start = bytes[index...].firstIndex(of: quote) {
            index = start + 1
            guard let end = endOfName(bytes, from: start), names.contains(name(bytes[index..<(end - 1)])) else { continue }
            var place = skipSpace(bytes, from: end)
            guard place < bytes.count, bytes[place] == UInt8(ascii: ":") else { continue }
            place = skipSpace(bytes, from: place + 1)
            guard let valueEnd = endOfScalar(bytes, from: place) else { continue }
            result += bytes[copied..<place] + Array("\"\(SecretValues.mask)\"".utf8)
            values.append(value(bytes[place..<valueEnd]))
            (copied, index) = (valueEnd, valueEnd)
        }
        return (result + bytes[copied...], values)
    }

    private static let quote = UInt8(ascii: "\"")

    /// No name is longer. The bound keeps the time that a text of nothing but quotes takes in proportion to its length.
    private static let longestName = 64

    /// The name as a reader of the JSON has it.
    private static func name(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        bytes.contains(UInt8(ascii: "\\")) ? Array(value(ArraySlice([quote] + Array(bytes) + [quote])).utf8) : Array(bytes)
    }

    /// The value as a reader of the JSON has it.
    private static func value(_ bytes: ArraySlice<UInt8>) -> String {
        let text = TapeMask.reading(bytes)
        return (try? JSONDecoder().decode(String.self, from: Data(text.utf8))) ?? text
    }

    private static func endOfName(_ bytes: [UInt8], from start: Int) -> Int? {
        var index = start + 1
        let bound = min(bytes.count, start + longestName)
        while index < bound {
            if bytes[index] == quote { return index + 1 }
            index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        return nil
    }

    static func endOfString(_ bytes: [UInt8], from start: Int) -> Int {
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
