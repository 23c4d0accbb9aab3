extension Path {
    /// A path from a template (RFC 6570), its values encoded as the template asks.
    ///
    /// ```swift
    /// var path: Path { Path("users/{id}/repos{?page,sort}", ["id": id, "page": page, "sort": sort]) }
    /// ```
    ///
    /// What the template makes of `?` and `#` is query and fragment, as in any path. A template that isn't well-formed, and a value
    /// that would change which resource is meant, end the call with ``RequestError/invalidURL(_:)``: a dot segment, and a value that
    /// would leave a segment of its own empty.
    public init(_ template: URITemplate, _ values: [String: (any URITemplateValue)?]) {
        do throws(RequestError) {
            let expansion = try template.expansion(values)
            if let fault = TemplatePath.fault(in: expansion) {
                pieces = [.value(QueryPart(template.text, fault: fault))]
            } else {
                pieces = [.literal(expansion.map(\.text).joined())]
            }
        } catch {
            pieces = [.value(QueryPart(template.text, fault: error.story?.reason ?? "it is no URI template"))]
        }
    }
}

/// What a template's values may not do to a path.
private enum TemplatePath {
    static func fault(in expansion: [URITemplatePiece]) -> String? {
        let path = expansion.map(\.text).joined().prefix { $0 != "?" && $0 != "#" }
        for segment in path.split(separator: "/") where PercentEncoding.isDotSegment(segment) {
            return "the segment \(Token.quoted(String(segment))) would lead to another resource"
        }
        return leavesSegmentEmpty(expansion) ? "a value that is a segment of its own is empty or missing" : nil
    }

    /// Whether an expression that stands alone between slashes came to nothing, or `{/value}` to a slash.
    private static func leavesSegmentEmpty(_ expansion: [URITemplatePiece]) -> Bool {
        var before = "/"
        for (index, piece) in expansion.enumerated() {
            if before.contains("?") || before.contains("#") { return false }
            switch piece.form?.start {
            case "/": if (piece.text + "/").contains("//") { return true }
            case "" where piece.text.isEmpty && before.hasSuffix("/"):
                let after = expansion[(index + 1)...].lazy.map(\.text).first { !$0.isEmpty }
                guard let first = after?.first, first != "/", first != "?", first != "#" else { return true }
            default: break
            }
            before += piece.text
        }
        return false
    }
}
