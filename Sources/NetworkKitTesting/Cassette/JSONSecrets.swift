internal import NetworkKit
internal import PlatformBase

/// Masks secrets in JSON so that it stays JSON: within its texts, and where a number as a whole is one. A secret may be as short as `7`,
/// and a text like `true` a cookie; masked wherever it stands, `{"adult": ***}` would play as an answer that nobody can read.
enum JSONSecrets {
    /// The bytes masked. Where they are no JSON, or wouldn't be any more, secrets are masked wherever they stand.
    static func masking(_ secrets: SecretValues, in bytes: some Collection<UInt8>) -> [UInt8] {
        json(secrets, Array(bytes)) ?? Array(secrets.masking(Data(bytes)))
    }

    /// The lines of an event stream masked, those whose data is JSON as JSON.
    static func masking(_ secrets: SecretValues, inEvents bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        // A secret may have several lines.
        var others: [UInt8] = []
        for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            if let start = beginningOfJSON(line), let json = json(secrets, Array(line[start...])) {
                result += secrets.masking(Data(others + line[..<start]))
                result += json
                others = []
            } else {
                others += line
            }
            others.append(UInt8(ascii: "\n"))
        }
        return result + secrets.masking(Data(others.dropLast()))
    }

    private static func beginningOfJSON(_ line: ArraySlice<UInt8>) -> Int? {
        let rest = line.trimmingPrefix("data:".utf8).trimmingPrefix(" ".utf8)
        return rest.first == UInt8(ascii: "{") || rest.first == UInt8(ascii: "[") ? rest.startIndex : nil
    }

    private static func json(_ secrets: SecretValues, _ bytes: [UInt8]) -> [UInt8]? {
        // What has a comma or a quote may lie across several texts or numbers. Where it does, what is left of them is no JSON.
        let bytes = Array(secrets.holding(anyOf: structure).masking(Data(bytes)))
        guard let tokens = tokens(of: bytes) else { return nil }
        let texts = masked(tokens.compactMap { $0.isText ? bytes[$0.range] : nil }, secrets)
        var result: [UInt8] = []
        var (copied, text) = (0, 0)
        for token in tokens {
            result += bytes[copied..<token.range.lowerBound]
            copied = token.range.upperBound
            if token.isText {
                result += texts[text]
                text += 1
            } else if token.isNumber, secrets.contains(String(decoding: bytes[token.range], as: UTF8.self)) {
                result += "\"\(SecretValues.mask)\"".utf8
            } else {
                result += bytes[token.range]
            }
        }
        return result + bytes[copied...]
    }

    private static let structure = Array("\",:{}[] \t\r\n".utf8)

    private static let inNumbers = Array("0123456789+-.eE".utf8)

    /// What isn't structure. A text stands without its quotes.
    private struct Token {
        var range: Range<Int>
        var isText = false
        var isNumber = false
    }

    /// All tokens of JSON, or of several in a row; `nil` where something else stands among them.
    private static func tokens(of bytes: [UInt8]) -> [Token]? {
        var tokens: [Token] = []
        var index = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "\"") {
                let end = JSONMembers.endOfString(bytes, from: index)
                guard end > index + 1, bytes[end - 1] == UInt8(ascii: "\"") else { return nil }
                tokens.append(Token(range: (index + 1)..<(end - 1), isText: true))
                index = end
            } else if structure.contains(bytes[index]) {
                index += 1
            } else {
                let end = bytes[index...].firstIndex { structure.contains($0) } ?? bytes.count
                let word = String(decoding: bytes[index..<end], as: UTF8.self)
                let isNumber = bytes[index] == UInt8(ascii: "-") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[index])
                guard isNumber ? word.utf8.allSatisfy(inNumbers.contains) && Double(word) != nil : ["true", "false", "null"].contains(word)
                else { return nil }
                tokens.append(Token(range: index..<end, isNumber: isNumber))
                index = end
            }
        }
        return tokens
    }

    /// The texts masked, all in one search.
    private static func masked(_ texts: [ArraySlice<UInt8>], _ secrets: SecretValues) -> [[UInt8]] {
        // It can't stand in a text of JSON (RFC 8259 §7).
        let separator: UInt8 = 0
        let joined = Array(texts.joined(separator: [separator]))
        let masked = secrets.masking(Data(joined)).split(separator: separator, omittingEmptySubsequences: false)
        guard masked.count == texts.count else {
            return texts.map { readable(Array(secrets.masking(Data($0))), from: $0) }
        }
        return zip(masked, texts).map { readable(Array($0), from: $1) }
    }

    /// The masked text, or the mask alone where an escape was cut in two.
    private static func readable(_ text: [UInt8], from original: ArraySlice<UInt8>) -> [UInt8] {
        if text.elementsEqual(original) { return text }
        var index = 0
        while let escape = text[index...].firstIndex(of: UInt8(ascii: "\\")) {
            guard escape + 1 < text.count else { return Array(SecretValues.mask.utf8) }
            let isUnicode = text[escape + 1] == UInt8(ascii: "u")
            let digits = text[(escape + 2)...].prefix(4)
            let isWhole =
                isUnicode
                ? digits.count == 4 && digits.allSatisfy { PercentEncoding.hexValue($0) != nil }
                : "\"\\/bfnrt".utf8.contains(text[escape + 1])
            guard isWhole else { return Array(SecretValues.mask.utf8) }
            index = escape + (isUnicode ? 6 : 2)
        }
        return text
    }
}
