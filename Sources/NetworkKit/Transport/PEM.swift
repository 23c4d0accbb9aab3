internal import PlatformBase

/// The blocks of a PEM text (RFC 7468), as far as it takes to tell what a file holds.
struct PEM {
    struct Block {
        /// What stands behind `BEGIN`, such as `CERTIFICATE`.
        var label: String
        /// The bytes; `nil` when they are no Base64, or the block has no end.
        var bytes: Data?
        /// Whether it takes a passphrase to read it.
        var isEncrypted: Bool
    }

    let blocks: [Block]

    init(_ text: String) {
        var blocks: [Block] = []
        var open: (label: String, lines: [Substring])?
        for line in text.split(whereSeparator: \.isNewline) {
            let line = line.trimmingSpaces()[...]
            if let label = Self.label(of: line, after: "BEGIN ") {
                if let open { blocks.append(Self.block(open, isWhole: false)) }
                open = (label, [])
            } else if let label = Self.label(of: line, after: "END ") {
                if let open { blocks.append(Self.block(open, isWhole: label == open.label)) }
                open = nil
            } else {
                open?.lines.append(line)
            }
        }
        if let open { blocks.append(Self.block(open, isWhole: false)) }
        self.blocks = blocks
    }

    /// The certificates in it.
    var certificates: [Block] { blocks.filter { ["CERTIFICATE", "X509 CERTIFICATE", "TRUSTED CERTIFICATE"].contains($0.label) } }
    /// The private keys in it, of whichever kind.
    var keys: [Block] { blocks.filter { $0.label.hasSuffix("PRIVATE KEY") } }

    private static func label(of line: Substring, after word: String) -> String? {
        guard line.hasPrefix("-----" + word), line.hasSuffix("-----") else { return nil }
        return String(line.dropFirst(5 + word.count).dropLast(5))
    }

    private static func block(_ open: (label: String, lines: [Substring]), isWhole: Bool) -> Block {
        // An old key has fields in front of its bytes (RFC 1421 §4.6).
        let fields = open.lines.filter { $0.contains(":") }
        let code = open.lines.filter { !$0.contains(":") }.joined()
        return Block(
            label: open.label, bytes: isWhole && !code.isEmpty ? Data(base64Encoded: code) : nil,
            isEncrypted: open.label.hasPrefix("ENCRYPTED ") || fields.contains { $0.contains("ENCRYPTED") })
    }
}
