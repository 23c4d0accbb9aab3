internal import PlatformBase

/// Addresses that stand for names, `["api.example:443": ["192.0.2.7", "2001:db8::7"]]`, read and found whole.
struct HostAddresses {
    /// In libcurl's form, one line a name: `api.example:443:192.0.2.7,[2001:db8::7]`.
    let lines: [String]

    /// - Throws: ``RequestError/connection(_:)`` of kind `nameLookup` that says which entry is wrong.
    init(_ entries: [String: [String]]) throws(RequestError) {
        var lines: [String: String] = [:]
        for (name, addresses) in entries.sorted(by: { $0.key < $1.key }) {
            let place = try Self.place(name)
            guard !addresses.isEmpty else { throw Self.fault(name, "has no address") }
            var written: [String] = []
            for address in addresses {
                guard let form = Self.written(address) else {
                    throw Self.fault(
                        name, "has \(Token.quoted(address)), which is no IPv4 or IPv6 address such as 192.0.2.7 or 2001:db8::7")
                }
                written.append(form)
            }
            guard lines.updateValue("\(place):\(written.joined(separator: ","))", forKey: place) == nil else {
                throw Self.fault(name, "is there twice, in capitals and in small letters")
            }
        }
        self.lines = lines.sorted { $0.key < $1.key }.map(\.value)
    }

    /// Host and port in the form that they are looked up by.
    private static func place(_ name: String) throws(RequestError) -> String {
        let example = "write it as api.example.com:443"
        guard let colon = name.utf8.lastIndex(of: UInt8(ascii: ":")) else { throw fault(name, "has no port; \(example)") }
        let host = String(name[..<colon])
        let port = name[colon...].dropFirst()
        guard let number = UInt16(port), number > 0, port.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else {
            throw fault(name, "has no port from 1 to 65535; \(example)")
        }
        guard !host.contains(":") && !host.contains("/") else { throw fault(name, "is no name of a host; \(example)") }
        guard let ascii = try? HostName.ascii(host), !ascii.hasPrefix("*") else { throw fault(name, "is no name of a host; \(example)") }
        return "\(ascii.lowercased()):\(number)"
    }

    private static func written(_ address: String) -> String? {
        let bare = address.hasPrefix("[") && address.hasSuffix("]") ? String(address.dropFirst().dropLast()) : address
        guard !bare.utf8.contains(0) else { return nil }
        var (four, six) = (in_addr(), in6_addr())
        if inet_pton(AF_INET, bare, &four) == 1 { return bare == address ? bare : nil }
        return inet_pton(AF_INET6, bare, &six) == 1 ? "[\(bare)]" : nil
    }

    private static func fault(_ name: String, _ what: String) -> RequestError {
        .setUp(.nameLookup, "the entry \(Token.quoted(name)) in addresses \(what)")
    }
}
