/// `Content-Length` (RFC 9110 §8.6).
enum ContentLength {
    /// The length that the fields state, or `nil` when they state none.
    ///
    /// - Throws: ``RequestError/connection(_:)`` of kind `malformed` when they are no numbers or not the same one: where such an
    ///   answer ends, nobody can say (RFC 9112 §6.3).
    static func value(_ values: [String]) throws(RequestError) -> Int64? {
        if values.count == 1, let number = plain(values[0]) { return number }
        // The same to the letter: two ways to write one number are two opinions of how a number is read.
        var known: (digits: String, length: Int64)?
        for element in values.flatMap({ $0.split(separator: ",", omittingEmptySubsequences: false) }) {
            let digits = element.trimmingSpaces()
            guard !digits.isEmpty, digits.utf8.allSatisfy({ $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }),
                let number = Int64(digits)
            else {
                throw .malformed("the Content-Length \(Token.quoted(values.joined(separator: ", "))) is not a number of bytes")
            }
            guard known == nil || known?.digits == digits else {
                throw .malformed("the answer has conflicting lengths: Content-Length \(Token.quoted(values.joined(separator: ", ")))")
            }
            known = (digits, number)
        }
        return known?.length
    }

    /// The number that a value of digits alone is.
    private static func plain(_ value: String) -> Int64? {
        value.utf8.allSatisfy { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") } ? Int64(value) : nil
    }
}

extension RequestError {
    static func malformed(_ reason: String) -> RequestError {
        .connection(.init(.init(kind: .malformed), reason: reason))
    }
}
