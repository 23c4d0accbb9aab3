internal import NetworkKit
internal import PlatformBase

/// Takes secrets out of an exchange. Masking what is masked changes nothing.
struct TapeMask: Sendable {
    let secrets: SecretValues
    let rules: CassetteMasking

    /// A value of a rule's name is masked elsewhere too only when it is as long as a secret is: `on` may stand anywhere.
    private static let shortestValue = 8

    private func isMasked(_ name: HTTPField.Name) -> Bool { name.isCredential || rules.fields.contains(name) }

    // MARK: Masking

    func request(_ request: HTTPRequest, body: Data) -> HAR.Request {
        let secretFields = Set(request.headers.filter(\.isSecret).map(\.name))
        let type = request.headers[.contentType] ?? request.body?.contentType ?? ""
        var result = HAR.Request(
            method: request.method.name, url: url(StubRoute.bare(request.url.absoluteString)),
            headers: fields(request.headers.harPairs, alsoHiding: secretFields),
            postData: request.body == nil ? nil : HAR.PostData(self.body(body, type: type), mimeType: text(type)))
        result.bodySize = Int64(body.count)
        result.queryString = RequestTarget(result.url).items.map { HAR.Pair(name: $0.name, value: $0.value ?? "") }
        return result
    }

    func entry(_ entry: HAR.Entry) -> HAR.Entry {
        var entry = entry
        entry.request.url = url(entry.request.url)
        entry.request.headers = fields(entry.request.headers)
        entry.request.queryString = RequestTarget(entry.request.url).items.map { HAR.Pair(name: $0.name, value: $0.value ?? "") }
        entry.request.cookies = entry.request.cookies.map { HAR.Pair(name: $0.name, value: SecretValues.mask) }
        if let post = entry.request.postData, let data = post.data {
            var masked = HAR.PostData(body(data, type: post.mimeType), mimeType: text(post.mimeType))
            masked.params = post.params?.map {
                HAR.Pair(name: $0.name, value: rules.bodyKeys.contains($0.name) ? SecretValues.mask : text($0.value))
            }
            entry.request.postData = masked
        }
        entry.response.headers = fields(entry.response.headers)
        entry.response.trailers = entry.response.trailers.map { fields($0) }
        entry.response.interim = entry.response.interim.map { answers in
            answers.map { HAR.Interim(status: $0.status, headers: fields($0.headers)) }
        }
        entry.response.cookies = entry.response.cookies.map { HAR.Pair(name: $0.name, value: SecretValues.mask) }
        entry.response.redirectURL = url(entry.response.redirectURL)
        if let data = entry.response.content.data {
            let old = entry.response.content
            entry.response.content = HAR.Content(body(data, type: old.mimeType), mimeType: text(old.mimeType))
            entry.response.content.chunks = old.chunks
            entry.response.content.comment = old.comment.map(text)
        }
        entry.comment = entry.comment.map(text)
        return entry
    }

    private func fields(_ pairs: [HAR.Pair], alsoHiding names: Set<HTTPField.Name> = []) -> [HAR.Pair] {
        pairs.map { pair in
            let name = HTTPField.Name(pair.name)
            guard isMasked(name) || names.contains(name) else {
                return HAR.Pair(name: pair.name, value: url(pair.value))
            }
            return HAR.Pair(name: pair.name, value: name == .setCookie ? Self.cookie(pair.value) : SecretValues.mask)
        }
    }

    /// A cookie without its value: name, path and the rest are what a cookie jar needs.
    private static func cookie(_ value: String) -> String {
        guard let equals = value.firstIndex(of: "=") else { return SecretValues.mask }
        return value[...equals] + SecretValues.mask + value[equals...].drop { $0 != ";" }
    }

    func text(_ text: String) -> String { secrets.masking(text) }

    /// A URL, or a text that holds one.
    func url(_ text: String) -> String {
        String(decoding: links(Array(text.utf8)), as: UTF8.self)
    }

    /// The URLs in bytes that need be no text.
    private func links(_ bytes: [UInt8]) -> Data {
        let items = Self.items(in: bytes, separators: "?&", ends: Self.endsOfItem, named: rules.queryItems)
        return secrets.masking(Data(Self.withoutUserInfo(items.masked)))
    }

    private func body(_ data: Data, type: String) -> Data {
        // Links in a body are URLs as those in fields are.
        let masked = links(members(of: Array(data), type: type).masked)
        if String(validating: masked, as: UTF8.self) != nil { return masked }
        // What is no UTF-8 may be text of one character a byte.
        return Data(secrets.masking(Self.latin1(masked)).unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) })
    }

    /// What bytes say: in UTF-8, or else one character a byte.
    static func reading(_ bytes: some Collection<UInt8>) -> String { String(validating: bytes, as: UTF8.self) ?? latin1(bytes) }

    private static func latin1(_ bytes: some Collection<UInt8>) -> String {
        String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }

    // MARK: Finding

    /// The values that the rules name in a request: they may come again, elsewhere.
    func secrets(in request: HTTPRequest, body: Data) -> SecretValues {
        var found = secrets
        for field in request.headers where isMasked(field.name) { Self.insert(field.value, into: &found) }
        for value in queryValues(Array(request.url.absoluteString.utf8)) { Self.insert(value, into: &found) }
        for value in members(of: Array(body), type: request.headers[.contentType] ?? "").values { Self.insert(value, into: &found) }
        return found
    }

    /// The same of an answer, its cookies included.
    func secrets(in entry: HAR.Entry) -> SecretValues {
        var found = SecretValues()
        let pairs = entry.response.headers + (entry.response.trailers ?? []) + (entry.response.interim ?? []).flatMap(\.headers)
        for pair in pairs where isMasked(HTTPField.Name(pair.name)) {
            let isCookie = HTTPField.Name(pair.name) == .setCookie
            let value = isCookie ? String(pair.value.drop { $0 != "=" }.dropFirst().prefix { $0 != ";" }) : pair.value
            Self.insert(value, into: &found)
        }
        if let data = entry.response.content.data {
            let bytes = Array(data)
            for value in members(of: bytes, type: entry.response.content.mimeType).values { Self.insert(value, into: &found) }
            for value in queryValues(bytes) { Self.insert(value, into: &found) }
        }
        return found
    }

    private func queryValues(_ bytes: [UInt8]) -> [String] {
        Self.items(in: bytes, separators: "?&", ends: Self.endsOfItem, named: rules.queryItems).values
    }

    private static func insert(_ value: String, into secrets: inout SecretValues) {
        guard value.utf8.count >= shortestValue, !value.contains(SecretValues.mask) else { return }
        secrets.insert(value)
        secrets.insert(PercentEncoding.decode(value))
    }

    // MARK: Bytes

    private func members(of bytes: [UInt8], type: String) -> (masked: [UInt8], values: [String]) {
        let type = MediaType(type)
        if type?.essence == "application/x-www-form-urlencoded" {
            let (masked, values) = Self.items(in: Array("&".utf8) + bytes, separators: "&", ends: "&", named: rules.bodyKeys)
            return (Array(masked.dropFirst()), values)
        }
        guard type?.isJSON ?? true else { return (bytes, []) }
        return JSONMembers.masking(rules.bodyKeys, in: bytes)
    }

    /// What ends a query's item in a URL, wherever the URL stands: in a field, in JSON, in HTML.
    private static let endsOfItem = "&#<>\"'\\ \t\r\n"

    /// Masks the values of `name=value` items, each behind a separator. It goes by bytes: as characters, a line's end of two is one, and
    /// an equals sign with a combining mark is none.
    private static func items(
        in bytes: [UInt8], separators: String, ends: String, named names: Set<String>
    ) -> (masked: [UInt8], values: [String]) {
        let (separators, ends) = (Array(separators.utf8), Array((ends + separators).utf8))
        var masked: [UInt8] = []
        var values: [String] = []
        var rest = bytes[...]
        while let separator = rest.firstIndex(where: { separators.contains($0) }) {
            masked += rest[...separator]
            rest = rest[(separator + 1)...]
            let item = rest.prefix { !ends.contains($0) }
            let name = item.prefix { $0 != UInt8(ascii: "=") }
            if name.endIndex < item.endIndex, names.contains(PercentEncoding.decode(reading(name))) {
                values.append(reading(item[(name.endIndex + 1)...]))
                masked += name + Array("=\(SecretValues.mask)".utf8)
            } else {
                masked += item
            }
            rest = rest[item.endIndex...]
        }
        return (masked + rest, values)
    }

    /// Masks name and password in front of a host (RFC 3986 §3.2.1), wherever a URL stands.
    private static func withoutUserInfo(_ bytes: [UInt8]) -> [UInt8] {
        let ends = Array("/?#\"'<> \t\r\n".utf8)
        var result: [UInt8] = []
        var rest = bytes[...]
        while let mark = rest.firstRange(of: Array("://".utf8)) {
            result += rest[..<mark.upperBound]
            rest = rest[mark.upperBound...]
            let authority = rest.prefix { !ends.contains($0) }
            if let at = authority.lastIndex(of: UInt8(ascii: "@")) {
                result += Array(SecretValues.mask.utf8)
                rest = rest[at...]
            }
        }
        return result + rest
    }
}
