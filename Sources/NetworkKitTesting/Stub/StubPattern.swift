internal import NetworkKit
internal import PlatformBase

/// The pattern of a stub's route: a path, with an origin in front or a query behind if they matter.
///
/// - `/3/movie/:id` is the whole path; `movie/:id`, without the slash, its end.
/// - `:name` takes any one segment, a `*` at the end all the rest.
/// - `?page=2` asks for that item, whatever else the query has.
/// - `https://api.example.com/…` asks for that origin.
struct StubPattern: Sendable {
    let text: String
    private let origin: String?
    private let path: RoutePattern
    private let isWholePath: Bool
    private let items: [QueryItem]

    init(_ text: String) {
        self.text = text
        let target = RequestTarget(text)
        items = target.items
        let bare = text.prefix { $0 != "?" }
        if let origin = Self.origin(bare) {
            self.origin = origin
            path = RoutePattern(target.path)
            isWholePath = true
        } else {
            origin = nil
            path = RoutePattern(String(bare))
            isWholePath = bare.hasPrefix("/") || bare == "*"
        }
    }

    /// What the path has in the places of the names; `nil` where it doesn't fit.
    func parameters(of requestPath: String) -> [String: String]? {
        if isWholePath { return path.match(requestPath) }
        var rest = requestPath[...]
        while let slash = rest.firstIndex(of: "/") {
            rest = rest[rest.index(after: slash)...]
            if let parameters = path.match(String(rest)) { return parameters }
        }
        return nil
    }

    /// In what a request differs from the pattern.
    func differences(from request: StubRequest) -> [Difference] {
        var found: [Difference] = []
        if let origin, let asked = Self.origin(request.url.absoluteString), asked != origin {
            found.append(Difference("its server is \(asked), not \(origin)", weight: 6))
        }
        if parameters(of: request.path) == nil {
            found.append(Difference("its path is \(request.path)", weight: pathWeight(request.path)))
        }
        for item in items {
            let values = request.queryItems.filter { $0.name == item.name }.map(\.value)
            if values.contains(item.value) { continue }
            let wanted = item.value.map { "\(item.name)=\($0)" } ?? item.name
            let has = values.first.map { "has \(item.name)=\($0 ?? "")" } ?? "lacks \(item.name)"
            found.append(Difference("its query \(has), not \(wanted)", weight: 1))
        }
        return found
    }

    /// Scheme, host and port of an absolute URL.
    private static func origin(_ address: some StringProtocol) -> String? {
        guard let mark = address.firstRange(of: "://") else { return nil }
        return address[..<(address[mark.upperBound...].firstIndex { $0 == "/" || $0 == "?" } ?? address.endIndex)].lowercased()
    }

    /// How far a path is from the pattern: by its segments, those that are the same on both sides taken off.
    private func pathWeight(_ requestPath: String) -> Int {
        let wanted = text.split(separator: "/").filter { !$0.hasPrefix(":") }
        let has = requestPath.split(separator: "/")
        let shared = wanted.count { has.contains($0) }
        return 2 + 2 * (wanted.count - shared) + abs(has.count - text.split(separator: "/").count)
    }
}
