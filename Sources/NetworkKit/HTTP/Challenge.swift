/// What a server asks for with a 401: one scheme, with what it says about it (RFC 9110 §11.6.1).
///
/// ```swift
/// if response.head.challenges.contains(where: { $0.scheme == "bearer" && $0["error"] == "insufficient_scope" }) { askForMore() }
/// ```
public struct Challenge: Sendable, Hashable {
    /// The scheme in lower case: `basic`, `bearer`, `digest` …
    public let scheme: String
    /// What some schemes have in the place of parameters, such as `Negotiate`.
    public internal(set) var token68: String?
    /// The parameters, their names in lower case and their values unquoted.
    public internal(set) var parameters: [String: String] = [:]

    /// The parameter of that name, in whatever case.
    public subscript(name: String) -> String? { parameters[name.lowercased()] }
}

extension ResponseHead {
    /// The challenges in `WWW-Authenticate`, in order: several in one field, and several fields (RFC 9110 §11.6.1). Of a malformed
    /// field, those before the one at fault.
    public var challenges: [Challenge] { ChallengeList(headers[values: .wwwAuthenticate]).challenges }
}

/// The challenges of fields, and what is wrong with them.
struct ChallengeList {
    private(set) var challenges: [Challenge] = []
    /// What is wrong, in words; empty where all is well. A fault ends its own field only.
    private(set) var faults: [String] = []

    init(_ fields: [String]) {
        for field in fields {
            var parser = AuthenticationParser(field)
            do throws(AuthenticationParser.Fault) {
                try parser.readChallenges()
                challenges += parser.challenges
            } catch {
                faults.append(error.reason)
                // Half a challenge says something else than the whole.
                challenges += parser.challenges.dropLast()
            }
        }
    }
}

/// Reads `WWW-Authenticate`, and the bare parameters of `Authentication-Info` (RFC 9110 §11.2, §11.6).
struct AuthenticationParser {
    struct Fault: Error { let reason: String }

    private(set) var challenges: [Challenge] = []
    private let bytes: [UInt8]
    private var place = 0

    init(_ field: String) { bytes = Array(field.utf8) }

    mutating func readChallenges() throws(Fault) {
        while skipSeparators() {
            let name = try readToken("a scheme or a parameter")
            if let value = try readValue() {
                // A parameter belongs to the scheme before it.
                guard !challenges.isEmpty else {
                    throw Fault(reason: "it begins with the parameter \(Token.quoted(name)), and names no scheme")
                }
                try add(name, value)
            } else {
                let hasMore = place < bytes.count && bytes[place] != UInt8(ascii: ",")
                challenges.append(Challenge(scheme: name.lowercased()))
                if hasMore { try readBehindScheme() }
            }
        }
    }

    /// The parameters of a field without a scheme.
    static func parameters(_ field: String) -> [String: String] {
        var parser = AuthenticationParser("info " + field)
        try? parser.readChallenges()
        return parser.challenges.first?.parameters ?? [:]
    }

    private mutating func readBehindScheme() throws(Fault) {
        let last = challenges.count - 1
        let start = place
        while place < bytes.count, Self.isToken68Byte(bytes[place]) { place += 1 }
        if place > start {
            while place < bytes.count, bytes[place] == UInt8(ascii: "=") { place += 1 }
            let end = place
            skipSpaces()
            if place == bytes.count || bytes[place] == UInt8(ascii: ",") {
                challenges[last].token68 = text(start..<end)
                return
            }
        }
        // It was the name of a parameter.
        place = start
        guard place < bytes.count else { return }
        let name = try readToken("a parameter of \(challenges[last].scheme)")
        guard let value = try readValue() else { throw fault("there is no \"=\" behind the parameter \(Token.quoted(name))") }
        try add(name, value)
    }

    private mutating func add(_ name: String, _ value: String) throws(Fault) {
        let name = name.lowercased()
        let last = challenges.count - 1
        // Which of them is meant can't be known (RFC 9110 §11.2: once a challenge).
        guard challenges[last].parameters.updateValue(value, forKey: name) == nil else {
            throw Fault(reason: "\(challenges[last].scheme) has the parameter \(Token.quoted(name)) twice")
        }
        skipSpaces()
        guard place == bytes.count || bytes[place] == UInt8(ascii: ",") else {
            throw fault("there is no comma behind the parameter \(Token.quoted(name))")
        }
    }

    /// What stands behind an equals sign; `nil`, with spaces skipped, where none comes.
    private mutating func readValue() throws(Fault) -> String? {
        skipSpaces()
        guard place < bytes.count, bytes[place] == UInt8(ascii: "=") else { return nil }
        place += 1
        skipSpaces()
        guard place < bytes.count, bytes[place] == UInt8(ascii: "\"") else { return try readToken("a value") }
        return try readQuoted()
    }

    private mutating func readQuoted() throws(Fault) -> String {
        place += 1
        var value: [UInt8] = []
        while place < bytes.count {
            switch bytes[place] {
            case UInt8(ascii: "\""):
                place += 1
                return String(decoding: value, as: UTF8.self)
            case UInt8(ascii: "\\") where place + 1 < bytes.count:
                value.append(bytes[place + 1])
                place += 2
            default:
                value.append(bytes[place])
                place += 1
            }
        }
        throw Fault(reason: "a quoted value has no end")
    }

    private mutating func readToken(_ what: String) throws(Fault) -> String {
        let start = place
        while place < bytes.count, Token.isTokenByte(bytes[place]) { place += 1 }
        guard place > start else { throw fault("\(what) is missing") }
        return text(start..<place)
    }

    private func fault(_ reason: String) -> Fault {
        Fault(reason: reason + (place < bytes.count ? " at \(Token.quoted(text(place..<bytes.count), limit: 20))" : " at its end"))
    }

    private func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    private mutating func skipSpaces() {
        while place < bytes.count, bytes[place] == 0x20 || bytes[place] == 0x09 { place += 1 }
    }

    /// Skips commas and spaces; says whether something comes behind them.
    private mutating func skipSeparators() -> Bool {
        while place < bytes.count, [0x20, 0x09, UInt8(ascii: ",")].contains(bytes[place]) { place += 1 }
        return place < bytes.count
    }

    private static func isToken68Byte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "+"), UInt8(ascii: "/"): true
        default: PercentEncoding.isUnreserved(byte)
        }
    }
}
