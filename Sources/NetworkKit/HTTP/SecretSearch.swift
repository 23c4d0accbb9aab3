internal import PlatformBase

/// Finds secrets in a text, in whatever way their bytes are written there.
struct SecretSearch: Sendable {
    /// By their first byte.
    private let secrets: [UInt8: Group]
    /// Which bytes one may begin with.
    private let beginnings: ByteSet

    /// Secrets that begin with the same byte.
    private struct Group {
        let secrets: [[UInt8]]
        /// What may stand behind that byte. It decides at once for all of them, nearly always.
        let seconds: ByteSet
        /// Where they are many: those that are as long as that, by their first bytes, and the others.
        private let byPrefix: [UInt64: [[UInt8]]]
        private let short: [[UInt8]]
        private let hasSingleByte: Bool

        private static let prefix = 8
        private static let few = 16

        init(_ secrets: [[UInt8]]) {
            self.secrets = secrets
            let isLarge = secrets.count > Self.few
            byPrefix = isLarge ? Dictionary(grouping: secrets.filter { $0.count >= Self.prefix }) { Self.number($0, at: 0) } : [:]
            hasSingleByte = secrets.contains { $0.count == 1 }
            short = isLarge ? secrets.filter { $0.count < Self.prefix } : secrets
            var seconds = ByteSet.escapes
            seconds.insert(SecretSearch.ellipsis[0])
            for secret in secrets where secret.count > 1 { seconds.insert(secret[1]) }
            self.seconds = seconds
        }

        private static func number(_ bytes: [UInt8], at start: Int) -> UInt64 {
            bytes[start..<(start + prefix)].reduce(0) { $0 << 8 | UInt64($1) }
        }

        /// Gives those that may stand at a place of a text: all, where something is escaped there or cut off.
        func candidates(in text: [UInt8], at start: Int, _ take: ([UInt8]) -> Void) {
            guard !byPrefix.isEmpty, start + Self.prefix <= text.count,
                !text[start..<(start + Self.prefix)].contains(where: { SecretSearch.beginsEscape($0) || $0 == SecretSearch.ellipsis[0] })
            else { return secrets.forEach(take) }
            short.forEach(take)
            byPrefix[Self.number(text, at: start)]?.forEach(take)
        }

        func mayBegin(in text: [UInt8], at start: Int) -> Bool {
            start + 1 >= text.count || seconds.contains(text[start + 1]) || hasSingleByte
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
        func look(for secret: [UInt8]) {
            if let end = Self.end(of: secret, in: text, from: start) { longest = max(longest ?? 0, end) }
        }
        if let group = secrets[text[start]], group.mayBegin(in: text, at: start) { group.candidates(in: text, at: start, look) }
        // An escape is read once for all secrets: few of them begin with what it stands for.
        Self.readEscapes(in: text, at: start) { bytes, _ in
            if let first = bytes.first { secrets[first]?.secrets.forEach(look) }
        }
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
        var readings = [Reading(matched: plain, index: start + plain)]
        // Several ways may lead to the same place. What is tried there once isn't tried again, or it would be tried without end.
        var tried: Set<Reading> = []
        while let reading = readings.popLast() {
            let (matched, index) = (reading.matched, reading.index)
            if matched == secret.count { return index }
            guard index < text.count else { continue }
            if !tried.isEmpty, !tried.insert(reading).inserted { continue }
            if matched >= SecretValues.shortestPart, isCutOff(text, at: index) { return index }
            let others = readings.count
            if text[index] == secret[matched] { readings.append(Reading(matched: matched + 1, index: index + 1)) }
            readEscapes(in: text, at: index) { bytes, end in
                guard secret[matched...].starts(with: bytes) else { return }
                readings.append(Reading(matched: matched + bytes.count, index: end))
            }
            // Up to here there was one way only.
            if readings.count > others + 1 { tried.insert(reading) }
        }
        return nil
    }

    /// How much of a secret has been found, and where the text goes on.
    private struct Reading: Hashable {
        let matched, index: Int
    }

    /// Whether an ellipsis stands here, or has cut off an escape that begins here.
    private static func isCutOff(_ text: [UInt8], at index: Int) -> Bool {
        if text[index] == ellipsis[0] { return text[index...].starts(with: ellipsis) }
        guard beginsEscape(text[index]), let cut = text[index...].prefix(longestEscape).firstIndex(of: ellipsis[0]) else { return false }
        return text[cut...].starts(with: ellipsis)
    }

    private static let longestEscape = 14

    /// How often a text that was escaped may have been escaped again. There is a bound so that a text of nothing but escapes is searched
    /// in a time that grows as the text does.
    private static let deepest = 6

    /// How many backslashes stand here, as far as that many may be one escape.
    private static func backslashes(in text: [UInt8], at index: Int) -> Int {
        var end = index
        let bound = min(text.count, index + 1 << deepest)
        while end < bound, text[end] == UInt8(ascii: "\\") { end += 1 }
        return end - index
    }

    fileprivate static func beginsEscape(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "%"), UInt8(ascii: "+"), UInt8(ascii: "\\"), UInt8(ascii: "&"): true
        default: false
        }
    }

    /// Gives all that may be meant by what begins at `index`: an escape, and the same where a text that was escaped has been quoted in
    /// another, and so escaped again. Then the percent sign or ampersand is escaped in front of the rest (`%252F`, `&amp;quot;`), and
    /// of several backslashes it is the last that counts.
    private static func readEscapes(in text: [UInt8], at index: Int, _ take: (_ bytes: [UInt8], _ end: Int) -> Void) {
        switch text[index] {
        case UInt8(ascii: "+"): take([UInt8(ascii: " ")], index + 1)
        case UInt8(ascii: "%"): readNested(at: index, UInt8(ascii: "%"), take) { triplet(in: text, at: $0) }
        case UInt8(ascii: "&"): readNested(at: index, UInt8(ascii: "&"), take) { entity(in: text, at: $0) }
        case UInt8(ascii: "\\"):
            if let (bytes, length) = jsonEscape(in: text, at: index) { take(bytes, index + length) }
            let count = backslashes(in: text, at: index)
            if count > 1, let (bytes, length) = jsonEscape(in: text, at: index + count - 1) { take(bytes, index + count - 1 + length) }
            // A backslash that was escaped twice is four of them.
            var doubled = 4
            while doubled <= count {
                take([UInt8(ascii: "\\")], index + doubled)
                doubled *= 2
            }
        default: break
        }
    }

    /// Reads an escape, and as long as what it stands for begins an escape itself, the one that it makes with what follows.
    private static func readNested(
        at index: Int, _ sign: UInt8, _ take: (_ bytes: [UInt8], _ end: Int) -> Void,
        read: (_ index: Int) -> (bytes: [UInt8], length: Int)?
    ) {
        var start = index
        for _ in 0...deepest {
            guard let (bytes, length) = read(start) else { return }
            take(bytes, start + length)
            guard bytes == [sign] else { return }
            // Its last character stands where the sign would.
            start += length - 1
        }
    }

    /// The byte of a percent triplet whose sign is at `index`, or is meant by what ends there.
    private static func triplet(in text: [UInt8], at index: Int) -> (bytes: [UInt8], length: Int)? {
        guard index + 2 < text.count, let high = PercentEncoding.hexValue(text[index + 1]),
            let low = PercentEncoding.hexValue(text[index + 2])
        else { return nil }
        return ([high << 4 | low], 3)
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

    /// An entity of HTML: one of those that a page must write so, or a number. Its ampersand is at `index`, or is meant by what ends there.
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
