public import PlatformBase

/// A template of a URL (RFC 6570, all four levels): `/users/{id}/repos{?page,sort}`.
///
/// ```swift
/// let template: URITemplate = "https://api.example.com/users/{id}/repos{?page,tags*}"
/// try template.expand(["id": "a/b", "page": 2, "tags": ["x", "y"]])
/// // https://api.example.com/users/a%2Fb/repos?page=2&tags=x&tags=y
///
/// var path: Path { Path("users/{id}/repos{?page,sort}", ["id": id, "page": page, "sort": sort]) }
/// ```
///
/// Values are strings, numbers, booleans, lists and lists of pairs; one that is `nil` or missing is undefined, and leaves its place
/// empty as the RFC says.
public struct URITemplate: Sendable, Hashable {
    /// The template as it was written.
    public let text: String
    let parts: [URITemplatePart]
    /// Why the text is no template, where it isn't. It is told when the template is expanded, so that a literal needs no `try`.
    let fault: URITemplateFault?

    /// A template. One that isn't well-formed fails when it is expanded.
    public init(_ text: String) {
        self.text = text
        do throws(URITemplateFault) {
            parts = try URITemplatePart.parse(text)
            fault = nil
        } catch {
            parts = []
            fault = error
        }
    }

    /// The names of the variables, in the order of their first use.
    public var variables: [String] {
        var names: [String] = []
        for case .expression(_, let specs) in parts {
            for spec in specs where !names.contains(spec.name) { names.append(spec.name) }
        }
        return names
    }

    /// The template with values in the places of its variables, percent-encoded as each place asks.
    ///
    /// - Parameter values: the variables' values by name. A name that the template doesn't have is passed over.
    /// - Throws: ``RequestError/invalidURL(_:)`` for a text that is no template, a prefix (`{var:3}`) of a value that isn't one text
    ///   (RFC 6570 §2.4.1), and a number that isn't finite.
    public func expand(_ values: [String: (any URITemplateValue)?]) throws(RequestError) -> String {
        try expansion(values).map(\.text).joined()
    }

    /// The expansion as a URL.
    ///
    /// - Throws: as ``expand(_:)`` does, and ``RequestError/invalidURL(_:)`` when it isn't an absolute URL that can be asked.
    public func url(_ values: [String: (any URITemplateValue)?]) throws(RequestError) -> URL {
        let text = try expand(values)
        _ = try RequestURL(text)
        guard let url = URL(string: text, encodingInvalidCharacters: false) else {
            throw .invalidURL(.whole, "\(Token.quoted(text)) is not a URL")
        }
        return url
    }

    /// The expansion, piece by piece: what stands literally and what came of an expression.
    func expansion(_ values: [String: (any URITemplateValue)?]) throws(RequestError) -> [URITemplatePiece] {
        if let fault { throw .invalidURL(.whole, "\(Token.quoted(text)) is no URI template: \(fault.reason), at byte \(fault.position)") }
        var pieces: [URITemplatePiece] = []
        for part in parts {
            switch part {
            case .literal(let text): pieces.append(URITemplatePiece(text: text))
            case .expression(let form, let specs): pieces.append(URITemplatePiece(text: try expand(form, specs, values), form: form))
            }
        }
        return pieces
    }

    private func expand(
        _ form: URITemplateForm, _ specs: [URITemplateVariable], _ values: [String: (any URITemplateValue)?]
    ) throws(RequestError) -> String {
        var texts: [String] = []
        for spec in specs {
            guard let value = values[spec.name]??.templateValue, value.isDefined else { continue }
            if let fault = value.fault { throw .invalidURL(.whole, "the variable \(Token.quoted(spec.name)) can't be sent: \(fault)") }
            guard let text = form.text(of: value, spec) else {
                throw .invalidURL(
                    .whole, "\(Token.quoted(text)) takes a prefix of \(Token.quoted(spec.name)), which is a list (RFC 6570 §2.4.1)")
            }
            texts.append(text)
        }
        return texts.isEmpty ? "" : form.start + texts.joined(separator: form.separator)
    }
}

/// What came of a part of a template.
struct URITemplatePiece {
    var text: String
    /// The form of the expression; `nil` for text that stands in the template.
    var form: URITemplateForm?
}

extension URITemplate: ExpressibleByStringLiteral, CustomStringConvertible {
    /// A template as a literal.
    public init(stringLiteral value: String) { self.init(value) }
    /// The template as it was written.
    public var description: String { text }
}
