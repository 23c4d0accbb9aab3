internal import PlatformBase

/// The one place where a URL is built: base, path and query joined to the bytes that go out.
struct EndpointURL {
    let url: URL
    /// Where it leads.
    let origin: Origin
    /// What the base URL's user information became.
    private(set) var credentials: HTTPField?
    /// The secret values of path and query.
    private(set) var secrets = SecretValues()

    init(base: URL, path: Path, query: Query) throws(RequestError) {
        for case .value(let part) in path.pieces where part.isSecret { secrets.insert(part.text) }
        for secret in query.secrets { secrets.insert(secret) }
        do {
            let base = try BaseURL.known(base)
            origin = base.origin
            credentials = base.credentials
            if let credentials { secrets.insert(field: credentials) }
            url = try Self.join(base, path, query)
        } catch {
            throw error.retold { [secrets] in $0.secrets.formUnion(secrets) }
        }
    }

    private static func join(_ base: BaseURL, _ path: Path, _ query: Query) throws(RequestError) -> URL {
        let joined = try JoinedPath(path)
        var text = base.text
        if !joined.path.isEmpty { text = base.folder + "/" + joined.path.drop { $0 == "/" } }
        var mark = "?"
        for query in [base.query, joined.query, try query.encoded()] {
            guard let query, !query.isEmpty else { continue }
            text += mark + query
            mark = "&"
        }
        if let fragment = joined.fragment { text += "#" + fragment }
        if text == base.written { return base.url }
        guard let url = URL(string: text, encodingInvalidCharacters: false) else {
            throw .invalidURL(.whole, "\(Token.quoted(text)) is not a URL")
        }
        return url
    }
}

/// A base URL taken apart: once, since an API's endpoints share one.
private final class BaseURL: Sendable {
    let url: URL
    let origin: Origin
    let credentials: HTTPField?
    /// The URL as it was written.
    let written: String
    /// The URL without query and fragment, and the same without slashes at its end.
    let text: String
    let folder: String
    let query: String?

    private init(_ url: URL) throws(RequestError) {
        self.url = url
        written = url.absoluteString
        let request = try RequestURL(written)
        origin = request.origin
        credentials = request.credentials
        query = request.reference.query
        var bare = request.reference
        bare.query = nil
        bare.fragment = nil
        text = bare.text
        while bare.path.hasSuffix("/") { bare.path.removeLast() }
        folder = bare.text
    }

    /// As many as a program has APIs; a program that makes up base URLs gets no more memory for them than this.
    private static let limit = 64
    private static let lastOnes = Lock<[String: BaseURL]>([:])

    static func known(_ url: URL) throws(RequestError) -> BaseURL {
        let text = url.absoluteString
        if let base = lastOnes.withLock({ $0[text] }) { return base }
        let base = try BaseURL(url)
        lastOnes.withLock { known in
            if known.count >= limit { known.removeAll(keepingCapacity: true) }
            known[text] = base
        }
        return base
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

    /// Whether a segment is empty or a dot segment.
    private static func changesTheResource(_ segment: String) -> Bool { segment.isEmpty || PercentEncoding.isDotSegment(segment) }
}
