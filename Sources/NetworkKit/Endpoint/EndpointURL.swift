internal import PlatformBase

/// The one place where a URL is built: base, path and query joined to the bytes that go out.
struct EndpointURL {
    let url: URL
    /// What the base URL's user information became.
    private(set) var credentials: HTTPField?
    /// The secret values of path and query.
    private(set) var secrets = SecretValues()

    init(base: URL, path: Path, query: Query) throws(RequestError) {
        for case .value(let part) in path.pieces where part.isSecret { secrets.insert(part.text) }
        for secret in query.secrets { secrets.insert(secret) }
        do {
            let request = try RequestURL(base.absoluteString)
            credentials = request.credentials
            if let credentials { secrets.insert(field: credentials) }
            url = try Self.join(request.reference, path, query)
        } catch {
            throw error.retold { [secrets] in $0.secrets.formUnion(secrets) }
        }
    }

    private static func join(_ base: URIReference, _ path: Path, _ query: Query) throws(RequestError) -> URL {
        var target = base
        let joined = try JoinedPath(path)
        if !joined.path.isEmpty {
            while target.path.hasSuffix("/") { target.path.removeLast() }
            target.path += "/" + joined.path.drop { $0 == "/" }
        }
        target.fragment = joined.fragment
        let queries = [target.query, joined.query, try query.encoded()].compactMap { $0 }.filter { !$0.isEmpty }
        target.query = queries.isEmpty ? nil : queries.joined(separator: "&")
        guard let url = target.url else { throw .invalidURL(.whole, "\(Token.quoted(target.text)) is not a URL") }
        return url
    }
}

/// A path with its values encoded, and the query and fragment that stand in its literals.
private struct JoinedPath {
    private(set) var path = ""
    private(set) var query: String?
    private(set) var fragment: String?

    init(_ source: Path) throws(RequestError) {
        for piece in source.pieces {
            switch piece {
            case .literal(let text):
                if let control = text.utf8.first(where: { $0 < 0x20 || $0 == 0x7F }) {
                    throw .invalidURL(.path, "the path \(Token.quoted(text)) has a \(Token.name(ofControl: control))")
                }
                append(literal: text[...])
            case .value(let part):
                if let fault = part.fault { throw .invalidURL(.path, "a value in the path \(source) can't be sent: \(fault)") }
                if query == nil && fragment == nil && Self.changesTheResource(part.text) {
                    let shown = part.isSecret ? "a secret value" : "the value \(Token.quoted(part.text))"
                    throw .invalidURL(
                        .path,
                        "\(shown) in the path \(Token.quoted(source.description)) is empty or a dot segment, and would lead to another resource"
                    )
                }
                append(encoded: PercentEncoding.encodeValue(part.text))
            }
        }
    }

    /// Adds text as it is written: `?` and `#` begin the query and the fragment, what can't stand in a URL is encoded.
    private mutating func append(literal text: Substring) {
        let (inPath, inFragment) = (query == nil && fragment == nil, fragment != nil)
        let end = text.utf8.firstIndex { !inFragment && ($0 == UInt8(ascii: "#") || (inPath && $0 == UInt8(ascii: "?"))) }
        let isAllowed = inPath ? PercentEncoding.isPathByte : PercentEncoding.isQueryByte
        append(encoded: PercentEncoding.encode(text[..<(end ?? text.endIndex)], keepsTriplets: true, allowing: isAllowed))
        guard let end else { return }
        if text.utf8[end] == UInt8(ascii: "?") { query = "" } else { fragment = "" }
        append(literal: text[text.utf8.index(after: end)...])
    }

    private mutating func append(encoded text: String) {
        if fragment != nil { fragment? += text } else if query != nil { query? += text } else { path += text }
    }

    /// Whether a segment is empty or a dot segment, as it is or once a server has decoded it, however often.
    private static func changesTheResource(_ segment: String) -> Bool {
        var text = segment
        while true {
            if text.isEmpty || text == "." || text == ".." { return true }
            let decoded = PercentEncoding.decode(text)
            if decoded == text { return false }
            text = decoded
        }
    }
}
