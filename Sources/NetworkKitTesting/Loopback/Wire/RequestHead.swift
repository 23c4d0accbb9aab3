internal import NetworkKit

/// The first part of a request: its line and its fields (RFC 9112 §3).
struct RequestHead: Sendable {
    let method: HTTPMethod
    /// The target, exactly as it came.
    let target: String
    /// Whether the client speaks HTTP/1.0: no chunks, no interim answers, connections closed unless asked for.
    let isOldVersion: Bool
    let fields: HTTPFields

    init(lines: [[UInt8]]) throws(LoopbackError) {
        let parts = (lines.first ?? []).split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        guard parts.count == 3 else { throw .malformed("the request line has not three parts") }
        method = try Self.method(parts[0])
        guard !parts[1].isEmpty, parts[1].allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "#") }) else {
            throw .malformed("the target is empty or holds a byte that may not stand in one")
        }
        target = String(decoding: parts[1], as: UTF8.self)
        isOldVersion = try Self.isOldVersion(String(decoding: parts[2], as: UTF8.self))
        fields = try FieldLines.parse(lines.dropFirst())
        guard fields[values: .host].count == 1 || (isOldVersion && !fields.contains(.host)) else {
            throw .malformed("there is not exactly one Host")
        }
    }

    /// Whether the connection is kept after the answer, as far as the client is concerned (RFC 9112 §9.3).
    var asksToKeepConnection: Bool {
        let options = fields[.connection].map(ListValue.members) ?? []
        if options.contains("close") { return false }
        return !isOldVersion || options.contains("keep-alive")
    }

    /// Whether the client waits for a 100 before it sends the body (RFC 9110 §10.1.1).
    var expectsContinue: Bool {
        !isOldVersion && fields[.expect]?.lowercased() == "100-continue"
    }

    private static func method(_ bytes: ArraySlice<UInt8>) throws(LoopbackError) -> HTTPMethod {
        let name = String(decoding: bytes, as: UTF8.self)
        guard Token.isValid(name) else { throw .malformed("\(Token.quoted(name)) is no method") }
        do {
            return try HTTPMethod(name: name)
        } catch {
            throw .malformed("\(name) is not supported", status: 501)
        }
    }

    private static func isOldVersion(_ text: String) throws(LoopbackError) -> Bool {
        switch text {
        case "HTTP/1.1": return false
        case "HTTP/1.0": return true
        default:
            let isOther = text.utf8.count == 8 && text.hasPrefix("HTTP/")
            throw .malformed("\(Token.quoted(text)) is no version that is spoken here", status: isOther ? 505 : 400)
        }
    }
}

/// A field value that is a list (RFC 9110 §5.6.1).
enum ListValue {
    /// The members in lower case.
    static func members(_ value: String) -> [String] {
        value.lowercased().split(whereSeparator: { $0 == "," || $0 == " " || $0 == "\t" }).map(String.init)
    }
}
