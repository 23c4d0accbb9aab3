public import PlatformBase

/// Where a URL leads, without path and query: scheme, host and port (RFC 6454 §4). Secrets are kept to origins.
public struct Origin: Sendable, Hashable {
    /// `http` or `https`, in lower case.
    public let scheme: String
    /// The host in lower case, an IPv6 address in brackets.
    public let host: String
    /// The port, the scheme's own when the URL names none.
    public let port: Int

    /// The origin of a URL, or `nil` for one that has none: of another scheme, or without a host.
    public init?(_ url: URL) { self.init(URIReference(url.absoluteString)) }

    init(scheme: String, host: String, port: Int) {
        self.scheme = scheme
        self.host = host
        self.port = port
    }

    init?(_ reference: URIReference) {
        guard let scheme = reference.scheme?.lowercased(), let defaultPort = Self.defaultPorts[scheme],
            let authority = reference.authority.map({ Authority($0) }), !authority.host.isEmpty
        else { return nil }
        self.scheme = scheme
        host = authority.host.lowercased()
        guard let port = authority.port else {
            self.port = defaultPort
            return
        }
        guard let number = Int(port) else { return nil }
        self.port = number
    }

    /// Whether secrets meant for this origin may go to another: the same, or the same host's upgrade from http on port 80 to
    /// https on port 443.
    public func includes(_ other: Origin) -> Bool {
        self == other || (host == other.host && scheme == "http" && port == 80 && other.scheme == "https" && other.port == 443)
    }

    static let defaultPorts = ["http": 80, "https": 443]
}

extension Origin: CustomStringConvertible {
    /// The origin as a URL without a path: `https://api.example.com`.
    public var description: String {
        "\(scheme)://\(host)" + (Self.defaultPorts[scheme] == port ? "" : ":\(port)")
    }
}

/// The parts of a URL's authority as they are written (RFC 3986 §3.2).
struct Authority: Hashable {
    var userInfo: String?
    var host: String
    /// What stands behind the colon; `nil` without one, and for an empty one (RFC 3986 §6.2.3).
    var port: String?

    init(_ text: String) {
        var rest = text.utf8[...]
        if let at = rest.lastIndex(of: UInt8(ascii: "@")) {
            userInfo = String(rest[..<at])
            rest = rest[at...].dropFirst()
        }
        let isAddress = rest.first == UInt8(ascii: "[")
        let afterAddress = isAddress ? rest.firstIndex(of: UInt8(ascii: "]")) ?? rest.startIndex : rest.startIndex
        if let colon = rest[afterAddress...].lastIndex(of: UInt8(ascii: ":")) {
            let number = rest[colon...].dropFirst()
            port = number.isEmpty ? nil : String(number)
            rest = rest[..<colon]
        }
        host = String(rest) ?? ""
    }

    /// The authority without user information, as it is sent.
    var text: String { host + (port.map { ":\($0)" } ?? "") }
}
