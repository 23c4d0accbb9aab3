internal import NetworkKit
internal import PlatformBase

/// Takes secrets out of an exchange. Masking what is masked changes nothing.
struct TapeMask: Sendable {
    let secrets: SecretValues
    private let maskedFields: Set<HTTPField.Name>
    private let queryItems: RuleNames
    private let bodyKeys: RuleNames

    init(secrets: SecretValues, rules: CassetteMasking) {
        self.secrets = secrets
        maskedFields = rules.fields
        queryItems = RuleNames(rules.queryItems)
        bodyKeys = RuleNames(rules.bodyKeys)
    }

    /// A value of a rule's name, a cookie, or a part of what Basic encodes is masked elsewhere too only when it is as long as a secret is:
    /// `on` may stand anywhere.
    static let shortestValue = 8

    private func isMasked(_ name: HTTPField.Name) -> Bool { name.isCredential || maskedFields.contains(name) }

    /// A request's type by its fields, else by its body.
    private static func type(of request: HTTPRequest) -> String { request.headers[.contentType] ?? request.body?.contentType ?? "" }

    // MARK: Masking

    /// A request as a tape has it.
    ///
    /// - Parameter body: the body before it was coded; `nil` where nobody knows what that is. Then nothing of it is kept.
    func request(_ request: HTTPRequest, body: Data?) -> HAR.Request {
        let secretFields = Set(request.headers.filter(\.isSecret).map(\.name))
        let type = Self.type(of: request)
        var result = HAR.Request(
            method: request.method.name, url: url(StubRoute.bare(request.url.absoluteString)),
            headers: fields(request.headers.harPairs, alsoHiding: secretFields),
            postData: request.body == nil ? nil : HAR.PostData(body.map { self.body($0, type: type) } ?? Data(), mimeType: text(type)))
        if body == nil { result.postData?.comment = PlainContent.isNotKept }
        result.bodySize = request.body.map { $0.length ?? -1 } ?? 0
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
                HAR.Pair(name: $0.name, value: bodyKeys.contains($0.name) ? SecretValues.mask : text($0.value))
            }
            masked.comment = post.comment.map(text)
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
            entry.response.content.isPartial = old.isPartial
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
        secrets.masking(String(decoding: links(Array(text.utf8)), as: UTF8.self))
    }

    /// The URLs in bytes that need be no text.
    private func links(_ bytes: [UInt8]) -> [UInt8] {
        Self.withoutUserInfo(TapeItems.masking(queryItems, inLinks: bytes).masked)
    }

    private func body(_ data: Data, type: String) -> Data {
        // Links in a body are URLs as those in fields are.
        let masked = content(links(members(of: Array(data), type: type).masked), type: type)
        if String(validating: masked, as: UTF8.self) != nil { return Data(masked) }
        // What is no UTF-8 may be text of one character a byte.
        let text = String(decoding: content(Array(Self.latin1(masked).utf8), type: type), as: UTF8.self)
        return Data(text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) })
    }

    /// The bytes of a body without the secrets. What is JSON stays JSON.
    private func content(_ bytes: [UInt8], type: String) -> [UInt8] {
        if secrets.isEmpty { return bytes }
        let mediaType = MediaType(type)
        if mediaType?.essence == "text/event-stream" { return JSONSecrets.masking(secrets, inEvents: bytes) }
        let first = bytes.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        let mayBeJSON = mediaType?.isJSON == true || first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
        return mayBeJSON ? JSONSecrets.masking(secrets, in: bytes) : Array(secrets.masking(Data(bytes)))
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
        for value in members(of: Array(body), type: Self.type(of: request)).values { Self.insert(value, into: &found) }
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
        TapeItems.masking(queryItems, inLinks: bytes).values
    }

    private static func insert(_ value: String, into secrets: inout SecretValues) {
        guard value.utf8.count >= shortestValue, !value.contains(SecretValues.mask) else { return }
        secrets.insert(value)
        secrets.insert(PercentEncoding.decode(value))
    }

    // MARK: Bytes

    /// Masks what the rules name in a body: members of JSON, in whatever else that stands too, items of a form, parts of a multipart body.
    private func members(of bytes: [UInt8], type: String) -> (masked: [UInt8], values: [String]) {
        let type = MediaType(type)
        switch type?.essence {
        case "application/x-www-form-urlencoded": return TapeItems.masking(bodyKeys, inForm: bytes)
        case "multipart/form-data":
            guard let boundary = type?.parameters["boundary"], !boundary.isEmpty else { break }
            var values: [String] = []
            let masked = TapeParts.mapping(bytes, boundary: boundary) { part in
                if let name = part.name, bodyKeys.contains(name) {
                    values.append(Self.reading(part.content))
                    return Array(SecretValues.mask.utf8)
                }
                let within = members(of: Array(part.content), type: part.type ?? "text/plain")
                values += within.values
                return within.masked
            }
            return (masked, values)
        default: break
        }
        return JSONMembers.masking(bodyKeys, in: bytes)
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
