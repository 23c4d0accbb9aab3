internal import NetworkKit
internal import PlatformBase

/// A request's body as it is compared: by what it means, where its type says how it is read.
enum TapeBody {
    case json(JSONTree)
    case form([QueryItem])
    case text(String)
    case bytes(Data)

    /// `nil` for an empty body.
    init?(_ post: HAR.PostData) {
        let type = MediaType(post.mimeType)
        if post.text.isEmpty, let params = post.params, !params.isEmpty {
            self = .form(params.map { QueryItem(name: $0.name, value: $0.value) })
            return
        }
        guard var data = post.data, !data.isEmpty else { return nil }
        let text = String(validating: data, as: UTF8.self)
        if text != nil, type?.isJSON == true, let tree = try? JSONDecoder().decode(JSONTree.self, from: data) {
            self = .json(tree)
        } else if let text, type?.essence == "application/x-www-form-urlencoded" {
            self = .form(RequestTarget("?" + text).items)
        } else {
            // Made up anew for every body (RFC 2046 §5.1.1). A part may be anything, and so the body no text.
            if let boundary = type?.parameters["boundary"], !boundary.isEmpty {
                data = data.replacing(Data(boundary.utf8), with: Data("boundary".utf8))
            }
            self = String(validating: data, as: UTF8.self).map(TapeBody.text) ?? .bytes(data)
        }
    }

    /// Where the body differs from a recorded one: a path in JSON, the name of a form's item, or nothing more than that it does;
    /// `nil` where it doesn't.
    func difference(from recorded: TapeBody, ignoring keys: Set<String>) -> String? {
        switch (self, recorded) {
        case (.json(let tree), .json(let known)): return tree.difference(from: known, ignoring: keys, at: "")
        case (.form(let items), .form(let known)):
            let (has, wanted) = (items.filter { !keys.contains($0.name) }, known.filter { !keys.contains($0.name) })
            let names = Set(has.map(\.name)).union(wanted.map(\.name)).sorted()
            return names.first { name in
                let (left, right) = (has.filter { $0.name == name }, wanted.filter { $0.name == name })
                return left.count != right.count || !zip(left, right).allSatisfy { TapeComparison.fits($0.value ?? "", $1.value ?? "") }
            }
        case (.text(let text), .text(let known)): return TapeComparison.fits(text, known) ? nil : ""
        case (.bytes(let data), .bytes(let known)): return data == known ? nil : ""
        default: return ""
        }
    }
}

/// JSON of any shape.
indirect enum JSONTree: Decodable, Equatable {
    case object([String: JSONTree])
    case list([JSONTree])
    case text(String)
    case number(Decimal)
    /// One that is too large, or too small, for a decimal number.
    case far(Double)
    case bool(Bool)
    case null

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .null
        } else if let bool = try? value.decode(Bool.self) {
            self = .bool(bool)
        } else if let number = Self.number(value) {
            self = number
        } else if let text = try? value.decode(String.self) {
            self = .text(text)
        } else if let list = try? value.decode([JSONTree].self) {
            self = .list(list)
        } else {
            self = .object(try value.decode([String: JSONTree].self))
        }
    }

    /// A number exactly: a double counts by twos beyond 2⁵³, and IDs don't.
    private static func number(_ value: any SingleValueDecodingContainer) -> JSONTree? {
        if let number = try? value.decode(Decimal.self), !number.isNaN { return .number(number) }
        return (try? value.decode(Double.self)).map(JSONTree.far)
    }

    /// The first place at which a tree differs from a recorded one, such as `orders[2].total`; `nil` for none.
    func difference(from recorded: JSONTree, ignoring keys: Set<String>, at path: String) -> String? {
        switch (self, recorded) {
        case (.object(let members), .object(let known)):
            let names = Set(members.keys).union(known.keys).subtracting(keys).sorted()
            return names.lazy.compactMap { name in
                let place = path.isEmpty ? name : "\(path).\(name)"
                guard let has = members[name], let wanted = known[name] else { return place }
                return has.difference(from: wanted, ignoring: keys, at: place)
            }.first
        case (.list(let elements), .list(let known)):
            if elements.count != known.count { return path }
            return elements.indices.lazy.compactMap { elements[$0].difference(from: known[$0], ignoring: keys, at: "\(path)[\($0)]") }.first
        case (.text(let text), .text(let known)): return TapeComparison.fits(text, known) ? nil : path
        // A number that was masked has become a text.
        case (_, .text(SecretValues.mask)): return nil
        default: return self == recorded ? nil : path
        }
    }
}
