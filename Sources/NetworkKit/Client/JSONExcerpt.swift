internal import PlatformBase

/// The piece of a JSON text around the place that a coding path names, for an error message.
enum JSONExcerpt {
    static let limit = 200

    /// At most ``limit`` characters that begin at the value the path leads to, or as near to it as the text lets one get.
    static func text(in data: Data, at path: [any CodingKey]) -> String {
        var scanner = Scanner(Array(data.prefix(8 << 20)))
        // The decoder has passed over it too.
        if scanner.bytes.starts(with: ModelDecoding.byteOrderMark) { scanner.index = ModelDecoding.byteOrderMark.count }
        scanner.skipSpace()
        var start = scanner.index
        for key in path {
            // A dictionary's key that reads as a number has an `intValue` too.
            guard key.intValue.map({ scanner.enterArray(at: $0) }) == true || scanner.enterObject(at: key.stringValue) else { break }
            start = scanner.index
        }
        let piece = scanner.bytes[min(start, scanner.bytes.count)...].prefix(limit)
        let isWhole = start + piece.count >= data.count
        // Of the body only what can be read goes on into a log: no line ends, no terminal's escapes.
        let words = String(decoding: piece, as: UTF8.self).map { $0.isNewline || $0.isControl ? " " : $0 }
        return String(words) + (isWhole ? "" : "…")
    }

    /// Walks through values without building them. Nesting is counted, not recursed into, so that no text can exhaust the stack.
    private struct Scanner {
        let bytes: [UInt8]
        var index = 0

        init(_ bytes: [UInt8]) { self.bytes = bytes }

        private var current: UInt8? { index < bytes.count ? bytes[index] : nil }

        mutating func skipSpace() {
            while let byte = current, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { index += 1 }
        }

        private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
            skipSpace()
            guard current == UInt8(ascii: scalar) else { return false }
            index += 1
            return true
        }

        /// Goes to an element of the array that begins here.
        mutating func enterArray(at position: Int) -> Bool {
            let start = index
            guard position >= 0, take("[") else { return false }
            for _ in 0..<position {
                guard skipValue(), take(",") else {
                    index = start
                    return false
                }
            }
            skipSpace()
            return true
        }

        /// Goes to the value of a key of the object that begins here. A key strategy may have changed the name, so underscores and
        /// case don't count when no key is the same to the letter.
        mutating func enterObject(at name: String) -> Bool {
            let start = index
            var similar: Int?
            guard take("{") else { return false }
            repeat {
                skipSpace()
                guard let key = takeString(), take(":") else { break }
                skipSpace()
                if key == name { return true }
                if similar == nil && Self.plain(key) == Self.plain(name) { similar = index }
                guard skipValue() else { break }
            } while take(",")
            index = similar ?? start
            return similar != nil
        }

        private static func plain(_ name: String) -> String { name.lowercased().filter { $0 != "_" } }

        /// The raw text of the string that begins here, escapes as they are.
        private mutating func takeString() -> String? {
            guard current == UInt8(ascii: "\"") else { return nil }
            let start = index + 1
            index += 1
            while let byte = current, byte != UInt8(ascii: "\"") { index += byte == UInt8(ascii: "\\") ? 2 : 1 }
            guard current != nil else { return nil }
            defer { index += 1 }
            return String(decoding: bytes[start..<index], as: UTF8.self)
        }

        private mutating func skipValue() -> Bool {
            skipSpace()
            var depth = 0
            while let byte = current {
                switch byte {
                case UInt8(ascii: "\""):
                    guard takeString() != nil else { return false }
                    if depth == 0 { return true }
                    continue
                case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
                case UInt8(ascii: "]"), UInt8(ascii: "}"):
                    if depth == 0 { return true }
                    depth -= 1
                    if depth == 0 {
                        index += 1
                        return true
                    }
                case UInt8(ascii: ",") where depth == 0: return true
                default: break
                }
                index += 1
            }
            return depth == 0
        }
    }
}

extension Character {
    fileprivate var isControl: Bool { unicodeScalars.contains { $0.properties.generalCategory == .control } }
}
