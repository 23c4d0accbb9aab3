internal import PlatformBase

/// A proxy's URL taken apart: where it listens, and apart from that who asks. No message shows its credentials.
struct ProxyAddress {
    /// The URL without user information.
    let url: String
    /// The user's name and password as they are, decoded; `nil` when there are none.
    let credentials: (user: String, password: String)?
    /// Hosts that are reached without it, in libcurl's form.
    let exceptions: String

    /// - Throws: ``RequestError/connection(_:)`` of kind `proxy` that says what is wrong.
    init(_ text: String, user: String?, password: String?, except: [String]) throws(RequestError) {
        let reference = URIReference(text)
        guard let scheme = reference.scheme?.lowercased(), let authority = reference.authority.map({ Authority($0) }) else {
            throw Self.fault("has no scheme; write it as http://proxy.example:3128")
        }
        guard Self.schemes.contains(scheme) else {
            throw Self.fault("has the scheme \(Token.quoted(scheme)); it can be one of \(Self.schemes.joined(separator: ", "))")
        }
        guard let host = try? HostName.ascii(authority.host) else { throw Self.fault("has no host, or one that no host can be called") }
        guard let port = authority.port.flatMap({ UInt16($0) }), port > 0 else {
            throw Self.fault("at \(Token.quoted(host)) has no port from 1 to 65535; name it, since proxies have no usual one")
        }
        guard ["", "/"].contains(reference.path), reference.query == nil, reference.fragment == nil else {
            throw Self.fault("at \(Token.quoted(host)) has a path; a proxy has none")
        }
        url = "\(scheme)://\(host):\(port)"
        credentials = try Self.credentials(authority.userInfo, user: user, password: password)
        for name in except where name.isEmpty || !name.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: ",") }) {
            throw Self.fault("has the exception \(Token.quoted(name)), which is no host: each is an element of its own")
        }
        exceptions = except.joined(separator: ",")
    }

    private static let schemes = ["http", "https", "socks4", "socks4a", "socks5", "socks5h"]

    private static func credentials(
        _ userInfo: String?, user: String?, password: String?
    ) throws(RequestError) -> (user: String, password: String)? {
        var (user, password) = (user, password)
        if let userInfo, !userInfo.isEmpty {
            guard user == nil && password == nil else {
                throw fault("has credentials in its URL and apart from it; give them in one place")
            }
            let colon = userInfo.utf8.firstIndex(of: UInt8(ascii: ":")) ?? userInfo.endIndex
            user = try decoded(userInfo[..<colon])
            password = try decoded(Substring(userInfo.utf8[colon...].dropFirst()))
        }
        guard user != nil || password != nil else { return nil }
        // RFC 7617 §2: no colon in the name, no control characters in either.
        guard user?.utf8.contains(UInt8(ascii: ":")) != true else {
            throw fault("has a user name with a colon in it, which Basic can't carry")
        }
        let pair = (user: user ?? "", password: password ?? "")
        guard (pair.user + pair.password).utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
            throw fault("has credentials with a control character in them")
        }
        return pair
    }

    private static func decoded(_ text: Substring) throws(RequestError) -> String {
        let triplets = text.utf8.split(separator: UInt8(ascii: "%"), omittingEmptySubsequences: false).dropFirst()
        guard triplets.allSatisfy({ $0.prefix(2).count == 2 && $0.prefix(2).allSatisfy { PercentEncoding.hexValue($0) != nil } }),
            let result = String(validating: PercentEncoding.decodedBytes(text), as: UTF8.self)
        else { throw fault("has credentials in its URL that aren't percent-encoded; a percent sign in them is %25") }
        return result
    }

    private static func fault(_ what: String) -> RequestError { .setUp(.proxy, "the URL of the proxy \(what)") }
}
