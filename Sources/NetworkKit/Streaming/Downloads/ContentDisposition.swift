internal import PlatformBase

/// What a server calls a file: `Content-Disposition` (RFC 6266), as it was written. Whether it is fit to be a file's name is another
/// question: see ``FileName``.
enum ContentDisposition {
    /// The name: that of `filename*` (RFC 8187), where it can be read, else that of `filename`.
    static func name(_ text: String) -> String? {
        let parameters = parameters(text)
        if let extended = parameters["filename*"], let name = ExtendedValue.text(extended), !name.isEmpty { return name }
        return parameters["filename"].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The parameters by their lower-cased names, the first of each. What isn't quite the grammar is read all the same, as other clients do.
    private static func parameters(_ text: String) -> [String: String] {
        var result: [String: String] = [:]
        var rest = Substring(text)
        // What comes first is the type.
        guard let first = rest.firstIndex(of: ";") else { return [:] }
        rest = rest[rest.index(after: first)...]
        while !rest.isEmpty {
            guard let equals = rest.firstIndex(where: { $0 == "=" || $0 == ";" }) else { break }
            let name = String(rest[..<equals]).trimmingSpaces().lowercased()
            let hasValue = rest[equals] == "="
            rest = rest[rest.index(after: equals)...]
            guard hasValue else { continue }
            let value = value(&rest)
            if result[name] == nil { result[name] = value }
        }
        return result
    }

    /// Takes a value and the semicolon behind it.
    private static func value(_ rest: inout Substring) -> String {
        rest = rest.drop { $0 == " " || $0 == "\t" }
        let quoted = QuotedString.text(rest.utf8)
        let behind = quoted.map { rest[$0.end...] } ?? rest
        let end = behind.firstIndex(of: ";") ?? behind.endIndex
        defer { rest = behind[end...].dropFirst() }
        return quoted?.text ?? String(behind[..<end]).trimmingSpaces()
    }
}

/// A name from somewhere else made fit to be a file's, in a folder and never outside of it, on any system.
enum FileName {
    /// The name where nothing is left of one.
    static let standard = "download"
    /// File systems take 255; some is left for what is put before and behind.
    static let limit = 200

    /// The name of what an answer brings: the server's own for it, else the last part of the URL's path.
    static func of(_ head: ResponseHead) -> String {
        if let name = head.headers[.contentDisposition].flatMap({ ContentDisposition.name($0) }) { return tamed(name) }
        let path = head.url.path(percentEncoded: true)
        let last = path.split(separator: "/").last.map { String($0) } ?? ""
        return tamed(PercentEncoding.decode(last))
    }

    /// The last part of a path by either system's separator, without what can't stand in a name, or shouldn't be believed there.
    ///
    /// All of it goes by scalars: a separator with a mark behind it is another character to a reader, and a separator to the system.
    static func tamed(_ name: String) -> String {
        // First what nobody sees, which could stand between what is looked for.
        let visible = name.unicodeScalars.filter { !isHidden($0) }
        let last = visible.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last
        var rest = (last ?? Substring.UnicodeScalarView()).drop(while: isTrimmed)
        // Windows drops dots and spaces at the end.
        while let scalar = rest.last, isTrimmed(scalar) { rest.removeLast() }
        var result = String.UnicodeScalarView()
        for scalar in rest { result.append(isReserved(scalar) ? "_" : scalar) }
        let stem = String(String.UnicodeScalarView(result.prefix { $0 != "." })).lowercased()
        let name = shortened((reserved.contains(stem) ? "_" : "") + String(result))
        return name.isEmpty ? standard : name
    }

    /// A name that begins with a dot is hidden.
    private static func isTrimmed(_ scalar: Unicode.Scalar) -> Bool { scalar == "." || scalar.properties.isWhitespace }

    /// Controls, and what turns a text around, so that `exe.jpg` reads as another name.
    private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned: true
        default: false
        }
    }

    /// What a name can't hold on Windows.
    private static func isReserved(_ scalar: Unicode.Scalar) -> Bool { "<>:\"|?*".unicodeScalars.contains(scalar) }

    /// Names of devices on Windows, whatever follows the dot.
    private static let reserved: Set<String> = Set(
        ["con", "prn", "aux", "nul"] + (1...9).flatMap { ["com\($0)", "lpt\($0)"] })

    /// A name cut to a length that fits, its extension kept.
    private static func shortened(_ name: String) -> String {
        guard name.utf8.count > limit else { return name }
        let dot = name.lastIndex(of: ".")
        let kept = dot.map { String(name[$0...]) }.flatMap { $0.utf8.count <= 20 ? $0 : nil } ?? ""
        var stem = ""
        for character in kept.isEmpty ? Substring(name) : name.dropLast(kept.count) {
            guard stem.utf8.count + String(character).utf8.count + kept.utf8.count <= limit else { break }
            stem.append(character)
        }
        // A character may be longer than a name.
        return (stem.isEmpty ? standard : stem) + kept
    }
}
