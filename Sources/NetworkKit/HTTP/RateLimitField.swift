internal import PlatformBase

/// The `RateLimit` field (draft-ietf-httpapi-ratelimit-headers): `"default";r=0;t=30`, a list of quotas with what is left of them; and
/// the form of earlier drafts, `limit=100, remaining=0, reset=30`.
enum RateLimitField {
    /// How long until every quota that is used up has something left again; `nil` where none is, or the field can't be read.
    ///
    /// - Parameter policy: the `RateLimit-Policy` field, whose window `w` counts where a quota doesn't say when it is renewed.
    static func wait(_ text: String, policy: String?) -> Duration? {
        guard let items = items(text) else { return nil }
        if items.contains(where: { $0.name == "remaining" && $0.value == 0 }) {
            return items.first { $0.name == "reset" }?.value.map { .seconds($0) }
        }
        let windows = policy.flatMap(Self.items) ?? []
        let waits = items.filter { $0.parameters["r"] == 0 }.compactMap { item in
            item.parameters["t"] ?? windows.first { $0.name == item.name }?.parameters["w"]
        }
        return waits.max().map { .seconds($0) }
    }

    /// A member of the list: a name in quotes or a token, perhaps with a value, and parameters. Of values only whole numbers matter here.
    struct Item: Equatable {
        var name: String
        var value: Int64?
        var parameters: [String: Int64] = [:]
    }

    /// The members, or `nil` for what is no list of them (RFC 9651 §4.2: a field with a fault is ignored as a whole).
    static func items(_ text: String) -> [Item]? {
        var scanner = Scanner(text)
        var items: [Item] = []
        scanner.skipSpaces()
        while !scanner.isAtEnd {
            guard let item = scanner.item() else { return nil }
            items.append(item)
            scanner.skipSpaces()
            if scanner.isAtEnd { break }
            guard scanner.take(",") else { return nil }
            scanner.skipSpaces()
            if scanner.isAtEnd { return nil }
        }
        return items
    }

    private struct Scanner {
        private var rest: Substring.UTF8View

        init(_ text: String) { rest = text[...].utf8 }

        var isAtEnd: Bool { rest.isEmpty }

        mutating func skipSpaces() {
            while let byte = rest.first, byte == 0x20 || byte == 0x09 { rest.removeFirst() }
        }

        mutating func take(_ scalar: Unicode.Scalar) -> Bool {
            guard rest.first == UInt8(ascii: scalar) else { return false }
            rest.removeFirst()
            return true
        }

        mutating func item() -> Item? {
            guard let name = string() else { return nil }
            var item = Item(name: name)
            if take("=") {
                guard let value = string() else { return nil }
                item.value = Self.number(value)
            }
            while true {
                skipSpaces()
                guard take(";") else { return item }
                skipSpaces()
                guard let key = token() else { return nil }
                guard take("=") else { continue }
                guard let value = string() else { return nil }
                item.parameters[key] = Self.number(value)
            }
        }

        /// A string in quotes, a byte sequence between colons, or a token.
        private mutating func string() -> String? {
            if take("\"") {
                var bytes: [UInt8] = []
                while let byte = rest.popFirst() {
                    switch byte {
                    case UInt8(ascii: "\""): return String(decoding: bytes, as: UTF8.self)
                    case UInt8(ascii: "\\"):
                        guard let escaped = rest.popFirst() else { return nil }
                        bytes.append(escaped)
                    default: bytes.append(byte)
                    }
                }
                return nil
            }
            if take(":") {
                let bytes = rest.prefix { $0 != UInt8(ascii: ":") }
                rest.removeFirst(bytes.count)
                return take(":") ? String(decoding: bytes, as: UTF8.self) : nil
            }
            return token()
        }

        private mutating func token() -> String? {
            let bytes = rest.prefix { Token.isTokenByte($0) || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "/") }
            guard !bytes.isEmpty else { return nil }
            rest.removeFirst(bytes.count)
            return String(decoding: bytes, as: UTF8.self)
        }

        /// At most fifteen digits, as RFC 9651 §3.3.1 has it.
        private static func number(_ text: String) -> Int64? {
            text.utf8.count <= 15 && text.utf8.allSatisfy { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") } ? Int64(text) : nil
        }
    }
}
