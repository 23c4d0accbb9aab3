public import PlatformBase

/// A link of a `Link` field (RFC 8288 §3): where it leads, and what is there.
///
/// ```swift
/// let next = response.links.first { $0.relations.contains("next") }?.url
/// ```
public struct WebLink: Sendable, Hashable {
    /// Where the link leads, as it is written: often relative to the answer's URL.
    public var target: String
    /// What is there, in lower case: `next`, `prev`, or a URL of somebody's own. The first `rel` counts.
    public var relations: [String]
    /// What the link is of, where that isn't the answer itself.
    public var anchor: String?
    /// What a person reads of it: `title*` where there is one, else `title`.
    public var title: String?
    /// All parameters in order, their names in lower case.
    public var parameters: [Parameter]

    /// A parameter of a link.
    public struct Parameter: Sendable, Hashable {
        /// The name in lower case.
        public var name: String
        /// The value, quotes taken off; empty for a parameter without one.
        public var value: String

        /// A parameter.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// A link.
    public init(target: String, relations: [String]) {
        self.target = target
        self.relations = relations
        parameters = [Parameter(name: "rel", value: relations.joined(separator: " "))]
    }

    fileprivate init(target: String, parameters: [Parameter]) {
        self.target = target
        self.parameters = parameters
        let value = { (name: String) in parameters.first { $0.name == name }?.value }
        relations = (value("rel") ?? "").split { $0 == " " || $0 == "\t" }.map { $0.lowercased() }
        anchor = value("anchor")
        title = value("title*").flatMap(ExtendedValue.text) ?? value("title")
    }

    /// The links of a field's value. What can't be read is passed over (RFC 8288 Appendix B.2): from there on, where not even the next
    /// link's beginning can be known.
    public static func links(in text: String) -> [WebLink] {
        var scanner = LinkScanner(text)
        var links: [WebLink] = []
        while let link = scanner.next() { links.append(link) }
        return links
    }
}

extension ResponseHead {
    /// The links of the answer's `Link` fields (RFC 8288).
    public var links: [WebLink] { headers[values: .link].flatMap { WebLink.links(in: $0) } }

    /// Where the first link of a relation leads: absolute, and relative to the answer's URL where it is written so; `nil` without one,
    /// and where it leads to what is no URL. Links of something else than the answer, by an anchor of their own, don't count.
    ///
    /// ```swift
    /// let next = response.link("next")
    /// ```
    public func link(_ relation: String) -> URL? { target(ofLink: relation)?.url }

    /// The same, and where it isn't a URL, what it is.
    func target(ofLink relation: String) -> URIReference? {
        let base = URIReference(url.absoluteString)
        for link in links where link.relations.contains(relation.lowercased()) {
            if let anchor = link.anchor, URIReference(anchor).resolved(against: base).withoutFragment != base.withoutFragment { continue }
            return URIReference(link.target).encoded.resolved(against: base).withoutFragment
        }
        return nil
    }
}

extension URIReference {
    fileprivate var withoutFragment: URIReference {
        var reference = self
        reference.fragment = nil
        return reference
    }
}

/// Walks through a field's value, byte by byte.
private struct LinkScanner {
    private let bytes: [UInt8]
    private var index = 0

    init(_ text: String) { bytes = Array(text.utf8) }

    private var current: UInt8? { index < bytes.count ? bytes[index] : nil }

    private mutating func skip(_ characters: String) {
        while let byte = current, characters.utf8.contains(byte) { index += 1 }
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard current == UInt8(ascii: character) else { return false }
        index += 1
        return true
    }

    private mutating func taken(until stops: String) -> String {
        let start = index
        while let byte = current, !stops.utf8.contains(byte) { index += 1 }
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }

    mutating func next() -> WebLink? {
        skip(", \t")
        guard take("<") else { return nil }
        let target = taken(until: ">")
        guard take(">") else { return nil }
        var parameters: [WebLink.Parameter] = []
        while true {
            skip(" \t")
            guard take(";") else { break }
            skip(" \t")
            let name = taken(until: "=;, \t").lowercased()
            skip(" \t")
            var value = ""
            if take("=") {
                skip(" \t")
                if let quoted = QuotedString.text(bytes[index...]) {
                    value = quoted.text
                    index = quoted.end
                } else {
                    value = taken(until: ";,").trimmingSpaces()
                }
            }
            if !name.isEmpty { parameters.append(WebLink.Parameter(name: name, value: value)) }
        }
        // What stands between a parameter and the next comma is nothing that anybody knows.
        _ = taken(until: ",")
        return WebLink(target: target.trimmingSpaces(), parameters: parameters)
    }
}
