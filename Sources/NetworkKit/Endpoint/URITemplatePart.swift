internal import PlatformBase

/// A part of a template (RFC 6570 §2).
enum URITemplatePart: Sendable, Hashable {
    /// Text that goes out as it is, encoded where it must be (§3.1).
    case literal(String)
    /// `{operator variable,variable}`
    case expression(URITemplateForm, [URITemplateVariable])
}

/// A variable in an expression (RFC 6570 §2.3 and §2.4).
struct URITemplateVariable: Sendable, Hashable {
    var name: String
    /// How many characters of the value are taken; `nil` for all.
    var prefix: Int?
    /// Whether each member of a list or a pair stands for itself.
    var isExploded = false
}

/// What is wrong with a template, and where.
struct URITemplateFault: Error, Hashable {
    let reason: String
    let position: Int
}

extension URITemplatePart {
    static func parse(_ text: String) throws(URITemplateFault) -> [URITemplatePart] {
        var parts: [URITemplatePart] = []
        let bytes = Array(text.utf8)
        var start = 0
        while start < bytes.count {
            let open = bytes[start...].firstIndex { $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "}") } ?? bytes.count
            if open > start { parts.append(.literal(try literal(bytes[start..<open]))) }
            guard open < bytes.count else { break }
            guard bytes[open] == UInt8(ascii: "{") else { throw URITemplateFault(reason: "a } without a {", position: open) }
            guard let close = bytes[open...].firstIndex(of: UInt8(ascii: "}")) else {
                throw URITemplateFault(reason: "a { without a }", position: open)
            }
            parts.append(try expression(bytes[(open + 1)..<close]))
            start = close + 1
        }
        return parts
    }

    /// A text in which reserved characters and triplets stay as they are, and all else but the unreserved is encoded (§3.1, §3.2.3).
    static func encodedLiteral(_ text: String) -> String {
        PercentEncoding.encode(text, keepsTriplets: true) { PercentEncoding.isUnreserved($0) || isReserved($0) }
    }

    /// RFC 3986 §2.2.
    private static func isReserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "#"), UInt8(ascii: "["), UInt8(ascii: "]"): true
        default: PercentEncoding.isQueryByte(byte) && !PercentEncoding.isUnreserved(byte)
        }
    }

    private static func literal(_ bytes: ArraySlice<UInt8>) throws(URITemplateFault) -> String {
        // §2.1 leaves these out, and control characters and spaces with them; encoded, they would mean something else than is written.
        if let place = bytes.firstIndex(where: { $0 <= 0x20 || $0 == 0x7F }) {
            throw URITemplateFault(reason: "a space or control character", position: place)
        }
        return encodedLiteral(String(decoding: bytes, as: UTF8.self))
    }

    private static func expression(_ bytes: ArraySlice<UInt8>) throws(URITemplateFault) -> URITemplatePart {
        var rest = bytes
        let mark = rest.first.flatMap { isNameByte($0) || $0 == UInt8(ascii: "%") ? nil : $0 }
        guard let form = URITemplateForm(mark) else {
            throw URITemplateFault(
                reason: "\(Token.quoted(String(decoding: rest.prefix(1), as: UTF8.self))) is no operator", position: rest.startIndex)
        }
        if mark != nil { rest = rest.dropFirst() }
        var variables: [URITemplateVariable] = []
        for spec in rest.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) { variables.append(try variable(spec)) }
        return .expression(form, variables)
    }

    /// `varspec` (§2.3, §2.4).
    private static func variable(_ spec: ArraySlice<UInt8>) throws(URITemplateFault) -> URITemplateVariable {
        var name = spec
        var result = URITemplateVariable(name: "")
        if spec.last == UInt8(ascii: "*") {
            result.isExploded = true
            name = spec.dropLast()
        } else if let colon = spec.firstIndex(of: UInt8(ascii: ":")) {
            let digits = spec[(colon + 1)...]
            guard (1...4).contains(digits.count), digits.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }), digits.first != 0x30 else {
                throw URITemplateFault(reason: "a prefix that is no number from 1 to 9999", position: colon)
            }
            result.prefix = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
            name = spec[..<colon]
        }
        guard isName(name) else {
            throw URITemplateFault(
                reason: "\(Token.quoted(String(decoding: name, as: UTF8.self))) is no name of a variable", position: spec.startIndex)
        }
        result.name = String(decoding: name, as: UTF8.self)
        return result
    }

    /// Letters, digits, `_` and triplets, with single dots between them.
    private static func isName(_ bytes: ArraySlice<UInt8>) -> Bool {
        let all = Array(bytes)
        var index = 0
        var isBehindDot = true
        while index < all.count {
            if all[index] == UInt8(ascii: ".") {
                guard !isBehindDot else { return false }
                isBehindDot = true
            } else if isNameByte(all[index]) {
                isBehindDot = false
            } else if PercentEncoding.tripletByte(in: all, at: index) != nil {
                isBehindDot = false
                index += 2
            } else {
                return false
            }
            index += 1
        }
        return !isBehindDot
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "_") || (PercentEncoding.isUnreserved(byte) && ![0x2D, 0x2E, 0x7E].contains(byte))
    }
}
