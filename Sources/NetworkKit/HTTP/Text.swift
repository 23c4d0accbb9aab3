extension Double {
    /// A share as a person reads it: `95 %`.
    var percentText: String { abs(self) < 1e15 ? "\(Int64((self * 100).rounded())) %" : "\(self) %" }
}

extension StringProtocol {
    /// The text without the spaces and tabs around it: optional white space in the sense of RFC 9110 §5.6.3.
    func trimmingSpaces() -> String {
        let isSpace: (UInt8) -> Bool = { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        let bytes = Substring(self).utf8
        guard let first = bytes.firstIndex(where: { !isSpace($0) }), let last = bytes.lastIndex(where: { !isSpace($0) }) else { return "" }
        return String(bytes[first...last]) ?? ""
    }
}
