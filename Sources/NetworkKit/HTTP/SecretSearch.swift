/// Finds secrets in a text, in whatever way their bytes are written there.
struct SecretSearch {
    /// By their first byte.
    private let secrets: [UInt8: Group]
    /// Which bytes one may begin with.
    private let beginnings: ByteSet

    /// Secrets that begin with the same byte.
    private struct Group {
        let secrets: [[UInt8]]
        /// What may stand behind that byte. It decides at once for all of them, nearly always.
        let seconds: ByteSet

        init(_ secrets: [[UInt8]]) {
            self.secrets = secrets
            var seconds = ByteSet.escapes
            seconds.insert(SecretSearch.ellipsis[0])
            for secret in secrets where secret.count > 1 { seconds.insert(secret[1]) }
            self.seconds = seconds
        }

        func mayBegin(in text: [UInt8], at start: Int) -> Bool {
            start + 1 >= text.count || seconds.contains(text[start + 1]) || secrets.contains { $0.count == 1 }
        }
    }

    /// - Parameter secrets: none of them empty.
    init(_ secrets: [String]) {
        let bytes = secrets.map { Array($0.utf8) }
        self.secrets = Dictionary(grouping: bytes) { $0[0] }.mapValues(Group.init)
        var beginnings = ByteSet.escapes
        for first in self.secrets.keys { beginnings.insert(first) }
        self.beginnings = beginnings
    }

    /// The text with a mask in the place of each secret, or of several that overlap.
    func masking(_ text: [UInt8], with mask: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var copied = 0
        // The region to be masked that was found last.
        var region = 0..<0
        func finish() {
            guard !region.isEmpty else { return }
            result += text[copied..<region.lowerBound]
            result += mask
            copied = region.upperBound
        }
        for (index, byte) in text.enumerated() {
            // Nearly every byte begins nothing.
            guard beginnings.contains(byte), let end = longestEnd(in: text, from: index) else { continue }
            if index < region.upperBound {
                region = region.lowerBound..<max(end, region.upperBound)
            } else {
                finish()
                region = index..<end
            }
        }
        finish()
        return copied == 0 ? text : result + text[copied...]
    }

    private func longestEnd(in text: [UInt8], from start: Int) -> Int? {
        var longest: Int?
        func look(for first: UInt8?, isPlain: Bool = false) {
            guard let first, let group = secrets[first], !isPlain || group.mayBegin(in: text, at: start) else { return }
            for secret in group.secrets {
                if let end = Self.end(of: secret, in: text, from: start) { longest = max(longest ?? 0, end) }
            }
        }
        look(for: text[start], isPlain: true)
        // An escape is read once for all secrets: few of them begin with what it stands for.
        let (single, last) = Self.escapes(in: text, at: start)
        look(for: single?.bytes.first)
        look(for: last?.bytes.first)
        return longest
    }

    private static let ellipsis = Array("…".utf8)

    /// Where an occurrence that begins at `start` ends. An ellipsis may have cut its end off: a message that quotes a long text is cut
    /// anywhere.
    private static func end(of secret: [UInt8], in text: [UInt8], from start: Int) -> Int? {
        // As far as it is written as it is, which is nearly always to where it turns out to be something else.
        var plain = 0
        while plain < secret.count, start + plain < text.count, text[start + plain] == secret[plain], !beginsEscape(secret[plain]) {
            plain += 1
        }
        guard plain < secret.count, start + plain < text.count else { return plain == secret.count ? start + plain : nil }
        guard beginsEscape(text[start + plain]) || text[start + plain] == ellipsis[0] || text[start + plain] == secret[plain] else {
            return nil
        }
        // Where what looks like an escape may also stand for itself, the other reading is tried when the first leads nowhere.
        var readings = [(matched: plain, index: start + plain)]
        while let (matched, index) = readings.popLast() {
            if matched == secret.count { return index }
            guard index < text.count else { continue }
            if matched >= SecretValues.shortestPart, isCutOff(text, at: index) { return index }
            if text[index] == secret[matched] { readings.append((matched + 1, index + 1)) }
            let (single, last) = escapes(in: text, at: index)
            for escape in [single, last] {
                guard let escape, secret[matched...].starts(with: escape.bytes) else { continue }
                readings.append((matched + escape.bytes.count, escape.end))
            }
        }
        return nil
    }

    /// Whether an ellipsis stands here, or has cut off an escape that begins here.
    private static func isCutOff(_ text: [UInt8], at index: Int) -> Bool {
        if text[index] == ellipsis[0] { return text[index...].starts(with: ellipsis) }
        guard beginsEscape(text[index]), let cut = text[index...].prefix(longestEscape).firstIndex(of: ellipsis[0]) else { return false }
        return text[cut...].starts(with: ellipsis)
    }

    private static let longestEscape = 14

    private static func backslashes(in text: [UInt8], at index: Int) -> Int {
        var end = index
        while end < text.count, text[end] == UInt8(ascii: "\\") { end += 1 }
        return end - index
    }

    fileprivate static func beginsEscape(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "%"), UInt8(ascii: "+"), UInt8(ascii: "\\"), UInt8(ascii: "&"): true
        default: false
        }
    }

    /// The escape that begins at `index`; and the same where a text that was escaped has been quoted in another, and so escaped again:
    /// then it is the last of several backslashes that counts.
    private static func escapes(in text: [UInt8], at index: Int) -> (single: (bytes: [UInt8], end: Int)?, last: (bytes: [UInt8], end: Int)?)
    {
        guard beginsEscape(text[index]) else { return (nil, nil) }
        func read(at start: Int) -> (bytes: [UInt8], end: Int)? { escaped(in: text, at: start).map { ($0.bytes, start + $0.length) } }
        let last = index + backslashes(in: text, at: index) - 1
        return (read(at: index), last > index ? read(at: last) : nil)
    }

    /// What the escape that begins at `index` stands for, and how long it is; `nil` when none does.
    private static func escaped(in text: [UInt8], at index: Int) -> (bytes: [UInt8], length: Int)? {
        switch text[index] {
        case UInt8(ascii: "%"): PercentEncoding.tripletByte(in: text, at: index).map { ([$0], 3) }
        case UInt8(ascii: "+"): ([UInt8(ascii: " ")], 1)
        case UInt8(ascii: "\\"): jsonEscape(in: text, at: index)
        case UInt8(ascii: "&"): entity(in: text, at: index)
        default: nil
        }
    }

    /// RFC 8259 §7.
    private static func jsonEscape(in text: [UInt8], at index: Int) -> (bytes: [UInt8], length: Int)? {
        guard index + 1 < text.count else { return nil }
        switch text[index + 1] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return ([text[index + 1]], 2)
        case UInt8(ascii: "n"): return ([0x0A], 2)
        case UInt8(ascii: "r"): return ([0x0D], 2)
        case UInt8(ascii: "t"): return ([0x09], 2)
        case UInt8(ascii: "b"): return ([0x08], 2)
        case UInt8(ascii: "f"): return ([0x0C], 2)
        case UInt8(ascii: "u"):
            guard let unit = codeUnit(in: text, at: index) else { return nil }
            // What lies outside of the first plane is two of them.
            let next = index + 5 + max(backslashes(in: text, at: index + 6), 1)
            if UTF16.isLeadSurrogate(unit), let low = codeUnit(in: text, at: next), UTF16.isTrailSurrogate(low) {
                return (Array(String(decoding: [unit, low], as: UTF16.self).utf8), next + 6 - index)
            }
            return (Array(String(decoding: [unit], as: UTF16.self).utf8), 6)
        default: return nil
        }
    }

    private static func codeUnit(in text: [UInt8], at index: Int) -> UInt16? {
        guard index + 5 < text.count, text[index] == UInt8(ascii: "\\"), text[index + 1] == UInt8(ascii: "u") else { return nil }
        var unit: UInt16 = 0
        for byte in text[(index + 2)...(index + 5)] {
            guard let digit = PercentEncoding.hexValue(byte) else { return nil }
            unit = unit << 4 | UInt16(digit)
        }
        return unit
    }

    private static let entities: [(name: [UInt8], byte: UInt8)] = [
        ("amp", "&"), ("lt", "<"), ("gt", ">"), ("quot", "\""), ("apos", "'"),
    ].map { (Array($0.0.utf8), UInt8(ascii: $0.1)) }

    /// An entity of HTML: one of those that a page must write so, or a number.
    private static func entity(in text: [UInt8], at index: Int) -> (bytes: [UInt8], length: Int)? {
        let longest = text[(index + 1)...].prefix(9)
        guard let end = longest.firstIndex(of: UInt8(ascii: ";")), end > index + 1 else { return nil }
        let name = text[(index + 1)..<end]
        let length = end + 1 - index
        if let known = entities.first(where: { name.elementsEqual($0.name) }) { return ([known.byte], length) }
        guard name.first == UInt8(ascii: "#"), let digits = String(validating: name.dropFirst(), as: UTF8.self) else { return nil }
        let isHex = digits.first == "x" || digits.first == "X"
        guard let value = isHex ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits), let scalar = Unicode.Scalar(value) else {
            return nil
        }
        return (Array(String(scalar).utf8), length)
    }
}

/// A set of bytes: 256 bits.
private struct ByteSet {
    /// What an escape may begin with.
    static let escapes: ByteSet = {
        var set = ByteSet()
        for byte in UInt8.min ... .max where SecretSearch.beginsEscape(byte) { set.insert(byte) }
        return set
    }()

    private var words: [UInt64] = [0, 0, 0, 0]

    mutating func insert(_ byte: UInt8) { words[Int(byte >> 6)] |= 1 << UInt64(byte & 63) }
    func contains(_ byte: UInt8) -> Bool { words[Int(byte >> 6)] >> UInt64(byte & 63) & 1 == 1 }
}
