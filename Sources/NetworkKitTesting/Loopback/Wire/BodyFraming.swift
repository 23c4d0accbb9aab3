internal import NetworkKit

/// Where a request's body ends (RFC 9112 §6.3).
enum BodyFraming: Equatable {
    case length(Int)
    case chunked

    /// Reads the framing so strictly that no two readers can disagree: whatever could be used to smuggle a request is refused.
    init(_ head: RequestHead) throws(LoopbackError) {
        let lengths = head.fields[values: .contentLength]
        guard let coding = head.fields[.transferEncoding] else {
            self = .length(try Self.length(lengths))
            return
        }
        guard lengths.isEmpty else { throw .malformed("both Content-Length and Transfer-Encoding") }
        guard !head.isOldVersion else { throw .malformed("Transfer-Encoding in a request of HTTP/1.0") }
        let codings = ListValue.members(coding)
        guard codings.last == "chunked", !codings.dropLast().contains("chunked") else {
            throw .malformed("chunked is not the last of the transfer codings, or not the only one of its name")
        }
        guard codings.count == 1 else { throw .malformed("the transfer coding \(Token.quoted(codings[0])) is not known", status: 501) }
        self = .chunked
    }

    private static func length(_ values: [String]) throws(LoopbackError) -> Int {
        guard let value = values.first else { return 0 }
        guard values.count == 1 else { throw .malformed("more than one Content-Length") }
        guard !value.isEmpty, value.utf8.allSatisfy({ $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }), let length = Int(value) else {
            throw .malformed("\(Token.quoted(value)) is no Content-Length")
        }
        return length
    }
}
