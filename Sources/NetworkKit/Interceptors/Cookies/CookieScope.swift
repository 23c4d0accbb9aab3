internal import PlatformBase

/// Which requests a cookie belongs to: domain and path match (RFC 6265bis §5.1.3 and §5.1.4).
enum CookieScope {
    /// Whether a host is a domain or lies below it. Both in ASCII and lower case. A host with a dot at its end is another host than the
    /// one without, as in browsers.
    static func domain(_ domain: String, includes host: String) -> Bool {
        if domain == host { return true }
        let name = host
        let host = host.utf8
        let domain = domain.utf8
        guard !domain.isEmpty, host.count > domain.count else { return false }
        let rest = host.dropFirst(host.count - domain.count - 1)
        return rest.first == UInt8(ascii: ".") && rest.dropFirst().elementsEqual(domain) && !isAddress(name[...])
    }

    /// Whether a path is another or lies below it.
    static func path(_ path: String, includes requested: String) -> Bool {
        let path = path.utf8
        let requested = requested.utf8
        guard requested.starts(with: path) else { return false }
        return requested.count == path.count || path.last == UInt8(ascii: "/") || requested.dropFirst(path.count).first == UInt8(ascii: "/")
    }

    /// The path of a cookie that names none: the folder of what was asked.
    static func defaultPath(of requested: String) -> String {
        guard requested.utf8.first == UInt8(ascii: "/"), let end = requested.utf8.lastIndex(of: UInt8(ascii: "/")),
            end > requested.startIndex
        else { return "/" }
        return String(requested[..<end])
    }

    /// Whether a host is an IP address: in brackets, or with a last label that is a number, as the URL Standard tells them from names.
    static func isAddress(_ host: Substring) -> Bool {
        if host.utf8.first == UInt8(ascii: "[") { return true }
        let labels = host.utf8.last == UInt8(ascii: ".") ? host.utf8.dropLast() : host.utf8[...]
        guard let first = labels.last else { return false }
        // Nearly every name ends in a letter.
        guard PercentEncoding.hexValue(first) != nil || first | 0x20 == UInt8(ascii: "x") else { return false }
        let label = labels.lastIndex(of: UInt8(ascii: ".")).map { labels[$0...].dropFirst() } ?? labels
        if label.allSatisfy({ $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }) { return true }
        guard label.count >= 2, label.first == UInt8(ascii: "0"), label.dropFirst().first.map({ $0 | 0x20 }) == UInt8(ascii: "x") else {
            return false
        }
        return label.dropFirst(2).allSatisfy { PercentEncoding.hexValue($0) != nil }
    }

    /// Whether a host has one label only, `localhost` or `com`, with or without a dot at its end.
    static func isSingleLabel(_ host: Substring) -> Bool {
        let labels = host.utf8.last == UInt8(ascii: ".") ? host.utf8.dropLast() : host.utf8[...]
        return !labels.contains(UInt8(ascii: "."))
    }
}

/// Where cookies come from or go to: what of a URL matters for them.
struct CookiePlace: Sendable {
    /// In ASCII and lower case.
    let host: String
    /// Whether it is https.
    let isSecure: Bool
    /// Read from the URL when it is asked for: most requests go where there are no cookies.
    private let url: URL

    /// `nil` for a URL that can't be asked.
    init?(_ url: URL) {
        guard let origin = try? RequestURL(url.absoluteString).origin else { return nil }
        self.init(url, origin)
    }

    /// Where a request goes.
    init?(_ request: HTTPRequest) {
        if let origin = request.checkedOrigin { self.init(request.url, origin) } else { self.init(request.url) }
    }

    private init(_ url: URL, _ origin: Origin) {
        host = origin.host
        isSecure = origin.scheme == "https"
        self.url = url
    }

    /// The path as it is sent. The URL is known to be one with an authority, so there is little to find out.
    var path: String {
        let text = url.absoluteString
        guard let slashes = text.utf8.firstIndex(of: UInt8(ascii: "/")) else { return "/" }
        let isMark = { (byte: UInt8) in byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#") }
        let rest = text.utf8[slashes...].dropFirst(2)
        guard let start = rest.firstIndex(where: { $0 == UInt8(ascii: "/") || isMark($0) }), rest[start] == UInt8(ascii: "/") else {
            return "/"
        }
        return String(Substring(rest[start...].prefix { !isMark($0) }))
    }
}
