internal import PlatformBase

/// The query of an endpoint: names and values in order.
///
/// ```swift
/// var query: Query { ["page": page, "region": region, "with_genres": [18, 80], "api_key": .secret(key)] }
/// ```
///
/// A `nil` value leaves its item out; an array repeats the name, or does what ``arrays(_:)`` says. Everything but unreserved
/// characters is encoded (RFC 3986 §2.3): a space as `%20`, a plus sign as `%2B`.
public struct Query: Sendable, Hashable {
    /// How an array is written.
    public enum ArrayStyle: Sendable, Hashable {
        /// `a=1&a=2`
        case repeated
        /// `a[]=1&a[]=2`, the brackets encoded
        case brackets
        /// `a[0]=1&a[1]=2`, the brackets encoded
        case indexed
        /// `a=1,2`
        case commas
    }

    enum Item: Sendable, Hashable {
        /// A style for an array, `nil` for a value that is none.
        case values(name: String, parts: [QueryPart], style: ArrayStyle?)
        case encoded(String)
    }

    private(set) var items: [Item] = []
    private var arrayStyle = ArrayStyle.repeated

    /// An empty query, which adds nothing to a URL.
    public init() {}

    /// A query that is encoded already: it goes out as it is, without a `?` in front. For servers that want what encoding takes
    /// away, such as a literal `+`. Only what can't stand in a query is encoded; a control character ends the call with
    /// ``RequestError/invalidURL(_:)``.
    public init(encoded: String) { items = encoded.isEmpty ? [] : [.encoded(encoded)] }

    /// Adds a value, also where the name has one.
    public mutating func append(_ name: String, _ value: (any QueryValue)?) {
        guard let parts = value?.queryParts, !parts.isEmpty else { return }
        items.append(.values(name: name, parts: parts, style: (value as? any QueryList)?.isList == true ? arrayStyle : nil))
    }

    /// Adds another query behind this one, its arrays written as it says.
    public mutating func append(_ other: Query) { items += other.items }

    /// The same query with its arrays, and those that are added to it, written in another way.
    public func arrays(_ style: ArrayStyle) -> Query {
        var query = self
        query.arrayStyle = style
        query.items = items.map { item in
            guard case .values(let name, let parts, .some) = item else { return item }
            return .values(name: name, parts: parts, style: style)
        }
        return query
    }
}

extension Query: ExpressibleByDictionaryLiteral {
    /// A query as a literal. A `nil` value leaves its item out.
    public init(dictionaryLiteral elements: (String, any QueryValue)...) {
        for (name, value) in elements { append(name, value) }
    }
}

extension Query {
    /// The query as it is sent, without a `?`; empty when there is nothing to send.
    ///
    /// - Parameter encode: how a name or value is encoded.
    /// - Throws: ``RequestError/invalidURL(_:)`` for a number without a decimal form.
    func encoded(by encode: (String) -> String = { PercentEncoding.encodeValue($0) }) throws(RequestError) -> String {
        var pairs: [String] = []
        for item in items {
            guard case .values(let name, let parts, let style) = item else {
                if case .encoded(let text) = item { pairs.append(try Self.asWritten(text)) }
                continue
            }
            if let fault = parts.lazy.compactMap(\.fault).first {
                throw .invalidURL(.query, "the query item \(Token.quoted(name)) can't be sent: \(fault)")
            }
            let values = parts.map { encode($0.text) }
            switch style {
            case .repeated, nil: pairs += values.map { "\(encode(name))=\($0)" }
            case .brackets: pairs += values.map { "\(encode(name + "[]"))=\($0)" }
            case .indexed: pairs += values.enumerated().map { "\(encode(name + "[\($0)]"))=\($1)" }
            case .commas: pairs.append("\(encode(name))=\(values.joined(separator: ","))")
            }
        }
        return pairs.joined(separator: "&")
    }

    private static func asWritten(_ text: String) throws(RequestError) -> String {
        if let control = text.utf8.first(where: { $0 < 0x20 || $0 == 0x7F }) {
            throw .invalidURL(.query, "the encoded query has a \(Token.name(ofControl: control))")
        }
        return PercentEncoding.encode(text, keepsTriplets: true, allowing: PercentEncoding.isQueryByte)
    }

    /// The values that must not be seen.
    var secrets: [String] {
        items.flatMap { item -> [String] in
            guard case .values(_, let parts, _) = item else { return [] }
            return parts.filter(\.isSecret).map(\.text)
        }
    }
}

extension Query: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The query as it is sent, secret values masked.
    public var description: String {
        var values = SecretValues()
        for secret in secrets { values.insert(secret) }
        return values.masking((try? encoded()) ?? "")
    }
    /// The same as `description`.
    public var debugDescription: String { description }
    /// What `dump` sees: the description.
    public var customMirror: Mirror { Mirror(self, children: ["query": description]) }
}

extension RequestBody {
    /// Names and values as an HTML form sends them (WHATWG URL §5.2, `application/x-www-form-urlencoded`). A value that can't be
    /// sent ends the call with ``RequestError/encode(_:)``.
    public static func form(_ fields: Query) -> RequestBody {
        let type = "application/x-www-form-urlencoded"
        do {
            let text = try fields.encoded { text in
                PercentEncoding.encode(text) { Self.isFormByte($0) || $0 == UInt8(ascii: " ") }.replacing(" ", with: "+")
            }
            var body = RequestBody(.data(Data(text.utf8)), contentType: type)
            for secret in fields.secrets { body.secrets.insert(secret) }
            return body
        } catch {
            return RequestBody(.invalid(.encode(.init(reason: error.story?.reason ?? "", underlying: error))), contentType: type)
        }
    }

    /// The characters that a form leaves as they are: letters, digits and `*-._`.
    private static func isFormByte(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "*") || (byte != UInt8(ascii: "~") && PercentEncoding.isUnreserved(byte))
    }
}
