internal import NetworkKit
internal import PlatformBase

/// One route of a stub: which requests it takes, and what it answers.
struct StubRoute: Sendable {
    enum Criterion: Sendable {
        /// A method, `nil` for any, and a pattern.
        case path(HTTPMethod?, StubPattern)
        /// The method and URL that an endpoint becomes.
        case address(HTTPMethod, url: String)
        /// A condition, with its name.
        case condition(String, @Sendable (StubRequest) -> Bool)
        /// An endpoint that can't be asked.
        case fault(String)
    }

    let criterion: Criterion
    let respond: StubRoutes.Responder
    let occurrences = Counter()

    /// In what a request differs from those that the route takes; nothing when it is one of them.
    func differences(from request: StubRequest) -> [Difference] {
        switch criterion {
        case .path(let method, let pattern):
            return methodDifferences(method, request) + pattern.differences(from: request)
        case .address(let method, let url):
            let asked = Self.bare(request.url.absoluteString)
            if asked == url || Self.withoutCredentials(asked, of: request, beyond: url) == url { return methodDifferences(method, request) }
            return methodDifferences(method, request) + Self.addressDifferences(url, request)
        case .condition(let name, let holds):
            return holds(request) ? [] : [Difference("it isn't \(name)", weight: 8)]
        case .fault(let reason):
            return [Difference(reason, weight: 8)]
        }
    }

    /// The names in the path, decoded.
    func parameters(of request: StubRequest) -> [String: String] {
        if case .path(_, let pattern) = criterion { pattern.parameters(of: request.path) ?? [:] } else { [:] }
    }

    /// A route for GET answers HEAD too, without the body.
    private func methodDifferences(_ method: HTTPMethod?, _ request: StubRequest) -> [Difference] {
        guard let method, request.method != method, !(method == .get && request.method == .head) else { return [] }
        return [Difference("its method is \(request.method)", weight: 3)]
    }

    private static func addressDifferences(_ url: String, _ request: StubRequest) -> [Difference] {
        let place = StubPattern(String(url.prefix { $0 != "?" })).differences(from: request)
        let wanted = RequestTarget(url).items
        let has = request.queryItems
        let lacks = wanted.filter { !has.contains($0) }.map(text)
        let extra = has.filter { !wanted.contains($0) && !isCredential($0, of: request) }.map(text)
        var query: [Difference] = []
        if !lacks.isEmpty { query.append(Difference("its query lacks \(lacks.joined(separator: ", "))", weight: lacks.count)) }
        if !extra.isEmpty { query.append(Difference("its query also has \(extra.joined(separator: ", "))", weight: extra.count)) }
        if place.isEmpty && query.isEmpty { query = [Difference("its query has another order or spelling", weight: 1)] }
        return place + query
    }

    /// The URL as it was before a credential was put into its query: without the items that the endpoint's URL doesn't have and whose value
    /// is one of the call's secrets.
    private static func withoutCredentials(_ asked: String, of request: StubRequest, beyond url: String) -> String {
        guard let mark = asked.firstIndex(of: "?"), !request.context.secrets.isEmpty else { return asked }
        var wanted = (RequestTarget(url).query ?? "").split(separator: "&", omittingEmptySubsequences: false)[...]
        var kept: [Substring] = []
        for item in asked[asked.index(after: mark)...].split(separator: "&", omittingEmptySubsequences: false) {
            if item == wanted.first {
                wanted = wanted.dropFirst()
            } else if RequestTarget("?\(item)").items.contains(where: { isCredential($0, of: request) }) {
                continue
            }
            kept.append(item)
        }
        return kept.isEmpty ? String(asked[..<mark]) : asked[...mark] + kept.joined(separator: "&")
    }

    private static func isCredential(_ item: QueryItem, of request: StubRequest) -> Bool {
        item.value.map { request.context.secrets.contains($0) } ?? false
    }

    static func bare(_ url: String) -> String { String(url.prefix { $0 != "#" }) }

    private static func text(_ item: QueryItem) -> String { item.value.map { "\(item.name)=\($0)" } ?? item.name }
}

extension StubRoute: CustomStringConvertible {
    var description: String {
        switch criterion {
        case .path(let method, let pattern): "\(method?.name ?? "any method") \(pattern.text)"
        case .address(let method, let url): "\(method) \(url)"
        case .condition(let name, _): name
        case .fault: "an endpoint that can't be asked"
        }
    }
}
