internal import PlatformBase

/// The host of a URL in the form that goes onto the wire.
enum HostName {
    /// The host in ASCII: an address in brackets, or a name. A name outside ASCII, percent-encoded or not, becomes its IDNA form
    /// where the platform has the tables for it, and is refused elsewhere: never sent as something else.
    static func ascii(_ host: String) throws(RequestError) -> String {
        guard !host.isEmpty else { throw .invalidURL(.host, "there is no host") }
        if host.hasPrefix("[") {
            guard host.hasSuffix("]"), host.dropFirst().dropLast().utf8.allSatisfy(isAddressByte), host.contains(":") else {
                throw .invalidURL(.host, "\(Token.quoted(host)) is not an IPv6 address")
            }
            return host
        }
        if host.utf8.allSatisfy(isNameByte) { return host }
        let decoded = PercentEncoding.decodedBytes(host)
        guard let name = String(validating: decoded, as: UTF8.self), decoded.allSatisfy({ $0 >= 0x80 || isNameByte($0) }) else {
            throw .invalidURL(.host, "the host \(Token.quoted(host)) has a character that no host has")
        }
        if decoded.allSatisfy({ $0 < 0x80 }) { return name }
        guard let encoded = IDNA.ascii(name), !encoded.isEmpty, encoded.utf8.allSatisfy(isNameByte) else {
            throw .invalidURL(.host, "the host \(Token.quoted(name)) can't be written in ASCII (IDNA); write its xn-- form")
        }
        return encoded
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        PercentEncoding.isUnreserved(byte)
    }

    private static func isAddressByte(_ byte: UInt8) -> Bool {
        PercentEncoding.hexValue(byte) != nil || byte == UInt8(ascii: ":") || byte == UInt8(ascii: ".")
    }
}

/// Names outside ASCII as `xn--` labels (RFC 5891), by the platform's own tables.
enum IDNA {
    #if os(Linux)
    // libidn2 is what libcurl itself uses. It is opened and not linked, so that a libcurl built without it is enough.
    private typealias ToASCII = @convention(c) (UnsafePointer<CChar>, UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>, CInt) -> CInt

    private static let toASCII: ToASCII? = {
        guard let library = dlopen("libidn2.so.0", RTLD_NOW), let symbol = dlsym(library, "idn2_to_ascii_8z") else { return nil }
        return unsafeBitCast(symbol, to: ToASCII.self)
    }()

    static func ascii(_ name: String) -> String? {
        var result: UnsafeMutablePointer<CChar>?
        let nonTransitional: CInt = 8
        guard let toASCII, toASCII(name, &result, nonTransitional) == 0, let result else { return nil }
        defer { free(result) }
        return String(validatingCString: result)
    }
    #else
    // Foundation's URL writes the host of a URL in its IDNA form.
    static func ascii(_ name: String) -> String? { URL(string: "http://\(name)")?.host(percentEncoded: true) }
    #endif
}
