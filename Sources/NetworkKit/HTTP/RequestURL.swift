internal import PlatformBase

/// A URL made fit to be asked: scheme and host checked, user information taken out, the host in ASCII.
struct RequestURL {
    /// The URL as it is sent.
    private(set) var reference: URIReference
    /// Where the URL leads.
    let origin: Origin
    /// `Authorization: Basic` from the URL's user information (RFC 7617), when it had any.
    private(set) var credentials: HTTPField?
    /// Whether the URL differs from the text that it was made from.
    private(set) var isChanged = false

    /// - Throws: ``RequestError/invalidURL(_:)`` that names the part at fault.
    init(_ text: String) throws(RequestError) {
        reference = URIReference(text)
        guard let scheme = reference.scheme?.lowercased(), let written = reference.authority else {
            // What may be meant as user information is not for a message to show.
            let shown = text.lastIndex(of: "@").map { SecretValues.mask + text[$0...] } ?? text
            throw .invalidURL(.whole, "\(Token.quoted(shown)) is not an absolute URL such as https://api.example.com")
        }
        guard let defaultPort = Origin.defaultPorts[scheme] else {
            throw .invalidURL(.scheme, "the scheme \(Token.quoted(scheme)) can't be asked; only http and https can")
        }
        var authority = Authority(written)
        if let userInfo = authority.userInfo {
            if !userInfo.isEmpty { credentials = Self.basicCredentials(userInfo) }
            authority.userInfo = nil
        }
        authority.host = try HostName.ascii(authority.host)
        var number = defaultPort
        if let port = authority.port {
            guard let stated = UInt16(port), stated > 0, port.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else {
                throw .invalidURL(.port, "the port \(Token.quoted(port)) is not a number from 1 to 65535")
            }
            number = Int(stated)
        }
        origin = Origin(scheme: scheme, host: authority.host.lowercased(), port: number)
        guard reference.path.isEmpty || reference.path.hasPrefix("/") else {
            throw .invalidURL(.path, "the path \(Token.quoted(reference.path)) doesn't begin with a slash")
        }
        if authority.text != written {
            isChanged = true
            reference.authority = authority.text
        }
    }

    func url() throws(RequestError) -> URL {
        guard let url = reference.url else { throw .invalidURL(.whole, "\(Token.quoted(reference.text)) is not a URL") }
        return url
    }

    /// What the user information of a URL, or of a reference, becomes.
    static func credentials(in text: String) -> HTTPField? {
        guard text.utf8.contains(UInt8(ascii: "@")), let authority = URIReference(text).authority else { return nil }
        return Authority(authority).userInfo.map(basicCredentials)
    }

    /// A URL as text without what may be user information, for whatever shows it.
    static func withoutCredentials(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "@")) else { return text }
        var reference = URIReference(text)
        guard let authority = reference.authority, authority.contains("@") else { return text }
        reference.authority = Authority(authority).text
        return reference.text
    }

    private static func basicCredentials(_ userInfo: String) -> HTTPField {
        let colon = userInfo.firstIndex(of: ":") ?? userInfo.endIndex
        let pair =
            PercentEncoding.decodedBytes(userInfo[..<colon]) + [UInt8(ascii: ":")]
            + PercentEncoding.decodedBytes(userInfo[colon...].dropFirst())
        return HTTPField(name: .authorization, value: "Basic " + Data(pair).base64EncodedString())
    }
}

extension RequestError {
    static func invalidURL(_ component: InvalidURL.Component, _ reason: String) -> RequestError {
        .invalidURL(.init(.init(component: component), reason: reason))
    }
}
