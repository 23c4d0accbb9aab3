/// Header or trailer fields: in order, without regard to case, repeated ones kept apart (RFC 9110 §5).
///
/// ```swift
/// var fields: HTTPFields = ["Accept": "application/json", "X-Api-Key": .secret(key), "If-None-Match": etag]
/// fields[.acceptLanguage] = "en"
/// for cookie in response.headers[values: .setCookie] { … }
/// ```
///
/// In a literal a `nil` value leaves its field out, and `.secret(_:)` marks a value that must not be seen.
public struct HTTPFields: Sendable, Hashable {
    private var own: [HTTPField]
    /// Fields of an answer that nobody has changed; `own` is empty then.
    private var received: ReceivedFields?

    /// No fields.
    public init() { own = [] }

    /// These fields, in this order.
    public init(_ fields: some Sequence<HTTPField>) { own = Array(fields) }

    /// The fields of an answer.
    init(_ received: ReceivedFields) {
        own = []
        self.received = received
    }

    /// The same fields, read: for who looks at many of them.
    var read: HTTPFields { received.map { HTTPFields($0.fields) } ?? self }

    private var fields: [HTTPField] {
        get { received?.fields ?? own }
        _modify {
            if let received { own = received.fields }
            received = nil
            yield &own
        }
    }

    /// The value of the fields of one name.
    ///
    /// Reading gives the values of all of them joined by `", "`, which is what they mean together (RFC 9110 §5.3); for
    /// `Set-Cookie`, which can't be joined (RFC 6265 §3), it gives the first: read all with ``subscript(values:)``.
    /// Writing replaces them all, in the place of the first; `nil` removes them.
    public subscript(name: HTTPField.Name) -> String? {
        get {
            guard received?.mayContain(name) != false else { return nil }
            var first: String?
            var joined: [String] = []
            for field in fields where field.name == name {
                if let first {
                    if joined.isEmpty { joined = [first] }
                    joined.append(field.value)
                } else {
                    first = field.value
                }
            }
            return joined.isEmpty || name == .setCookie ? first : joined.joined(separator: ", ")
        }
        set {
            if let newValue, !contains(name) {
                append(HTTPField(name: name, value: newValue))
            } else {
                self[values: name] = newValue.map { [$0] } ?? []
            }
        }
    }

    /// The value of the fields of one name, to be seen by nobody but its server: masked in all texts, and left out by a redirect to another
    /// origin.
    ///
    /// ```swift
    /// request.headers[secret: "X-Api-Key"] = key
    /// ```
    ///
    /// Reading is ``subscript(name:)``. Writing replaces all fields of the name; `nil` removes them.
    public subscript(secret name: HTTPField.Name) -> String? {
        get { self[name] }
        set {
            self[name] = newValue
            for index in fields.indices where fields[index].name == name { fields[index].isSecret = true }
        }
    }

    /// The values of all fields of one name, in order and apart.
    public subscript(values name: HTTPField.Name) -> [String] {
        get {
            guard received?.mayContain(name) != false else { return [] }
            return fields.compactMap { $0.name == name ? $0.value : nil }
        }
        set {
            let place = fields.firstIndex { $0.name == name } ?? fields.endIndex
            let isSecret = fields.contains { $0.name == name && $0.isSecret }
            fields.removeAll { $0.name == name }
            fields.insert(
                contentsOf: newValue.map { HTTPField(name: name, value: $0, isSecret: isSecret) }, at: Swift.min(place, fields.endIndex))
        }
    }

    /// Whether there is a field of this name.
    public func contains(_ name: HTTPField.Name) -> Bool {
        guard received?.mayContain(name) != false else { return false }
        return fields.contains { $0.name == name }
    }

    /// Whether the fields are as most requests have them: fit to be sent, none of them secret or asked for here, and what is accepted is
    /// said.
    var isPlain: Bool {
        contains(.accept)
            && allSatisfy { $0.isFit && !$0.isSecret && ![.acceptEncoding, .range, .contentType, .expect].contains($0.name) }
    }

    /// Whether one of the fields must not be seen.
    var hasSecret: Bool { fields.contains(where: \.isSecret) }

    /// Adds a field behind the others, also where there is one of its name.
    public mutating func append(_ field: HTTPField) {
        fields.append(field)
    }

    /// Removes all fields of one name.
    public mutating func removeAll(_ name: HTTPField.Name) {
        fields.removeAll { $0.name == name }
    }

    /// Removes all fields that fit.
    public mutating func removeAll(where fits: (HTTPField) throws -> Bool) rethrows {
        try fields.removeAll(where: fits)
    }

    /// Adds those of `defaults` whose names are not among these fields.
    mutating func merge(defaults: HTTPFields) {
        let names = endIndex
        for field in defaults where !self[..<names].contains(where: { $0.name == field.name }) { append(field) }
    }

    /// Makes room for a number of fields that is about to come.
    mutating func reserveCapacity(_ count: Int) { fields.reserveCapacity(count) }
}

extension HTTPFields {
    /// Whether two lists have the same fields in the same order.
    public static func == (left: HTTPFields, right: HTTPFields) -> Bool { left.fields == right.fields }
    /// Hashes the fields in their order.
    public func hash(into hasher: inout Hasher) { hasher.combine(fields) }
}

extension HTTPFields: RandomAccessCollection {
    /// Where the first field is.
    public var startIndex: Int { fields.startIndex }
    /// Where the fields end.
    public var endIndex: Int { fields.endIndex }
    /// The field at a place.
    public subscript(position: Int) -> HTTPField { fields[position] }
}

extension HTTPFields: ExpressibleByDictionaryLiteral {
    /// Fields as a literal. A `nil` value leaves its field out; an array repeats it. A number that isn't finite has no text: the request is
    /// refused when it is sent, with ``RequestError/encode(_:)``.
    public init(dictionaryLiteral elements: (HTTPField.Name, any QueryValue)...) {
        self.init()
        for (name, value) in elements {
            for part in value.queryParts {
                append(HTTPField(name: name, part))
            }
        }
    }
}

extension HTTPFields: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The fields, one a line, secret values masked.
    public var description: String {
        map(\.description).joined(separator: "\n")
    }
    /// The same as `description`.
    public var debugDescription: String { description }
    /// What `dump` sees: the fields with secret values masked.
    public var customMirror: Mirror {
        Mirror(self, unlabeledChildren: map(\.description))
    }
}

extension HTTPField: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The field as it is sent, its value masked when it is secret.
    public var description: String { "\(name): \(isSecret ? SecretValues.mask : value)" }
    /// The same as `description`.
    public var debugDescription: String { description }
    /// What `dump` sees.
    public var customMirror: Mirror {
        Mirror(self, children: ["name": name.rawName, "value": isSecret ? SecretValues.mask : value])
    }
}
