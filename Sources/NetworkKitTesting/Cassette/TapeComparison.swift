internal import NetworkKit
internal import PlatformBase

/// In what a request differs from a recorded one, both masked.
struct TapeComparison: Sendable {
    let matching: CassetteMatching

    func differences(of request: HAR.Request, from recorded: HAR.Request) -> [Difference] {
        var found: [Difference] = []
        if request.method != recorded.method { found.append(Difference("its method is \(request.method)", weight: 3)) }
        let (asked, known) = (StubRoute.bare(request.url), StubRoute.bare(recorded.url))
        if !Self.fits(String(asked.prefix { $0 != "?" }), String(known.prefix { $0 != "?" })) {
            found.append(Difference("its address is \(asked.prefix { $0 != "?" })", weight: 6))
        }
        found += items(RequestTarget(asked).items, RequestTarget(known).items)
        for name in matching.fields {
            let (has, wanted) = (HTTPFields(request.headers)[values: name], HTTPFields(recorded.headers)[values: name])
            if !Self.fit(has, wanted) {
                found.append(Difference("its \(name) is \(has.joined(separator: ", ")), not \(wanted.joined(separator: ", "))", weight: 1))
            }
        }
        if matching.comparesBody, let difference = bodyDifference(request.postData, recorded.postData) { found.append(difference) }
        return found
    }

    /// Items are compared in no order.
    private func items(_ asked: [QueryItem], _ known: [QueryItem]) -> [Difference] {
        var extra = asked.filter { !matching.ignoredQueryItems.contains($0.name) }
        var lacks: [QueryItem] = []
        for item in known where !matching.ignoredQueryItems.contains(item.name) {
            let place = extra.firstIndex { $0.name == item.name && Self.fits($0.value ?? "", item.value ?? "") }
            if let place { extra.remove(at: place) } else { lacks.append(item) }
        }
        var found: [Difference] = []
        if !lacks.isEmpty { found.append(Difference("its query lacks \(Self.text(lacks))", weight: lacks.count)) }
        if !extra.isEmpty { found.append(Difference("its query also has \(Self.text(extra))", weight: extra.count)) }
        return found
    }

    private static func text(_ items: [QueryItem]) -> String {
        items.map { item in item.value.map { "\(item.name)=\($0)" } ?? item.name }.joined(separator: ", ")
    }

    private func bodyDifference(_ asked: HAR.PostData?, _ known: HAR.PostData?) -> Difference? {
        let (has, wanted) = (asked.flatMap(TapeBody.init), known.flatMap(TapeBody.init))
        guard let has, let wanted else {
            return (has == nil) == (wanted == nil) ? nil : Difference(has == nil ? "it has no body" : "it has a body", weight: 2)
        }
        guard let place = has.difference(from: wanted, ignoring: matching.ignoredBodyKeys) else { return nil }
        return Difference("its body differs\(place.isEmpty ? "" : " at \(place)")", weight: 2)
    }

    private static func fit(_ texts: [String], _ known: [String]) -> Bool {
        texts.count == known.count && zip(texts, known).allSatisfy { fits($0, $1) }
    }

    /// Whether a text is a recorded one, where a mask stands for any text.
    static func fits(_ text: String, _ recorded: String) -> Bool {
        if text == recorded { return true }
        let parts = recorded.split(separator: SecretValues.mask, omittingEmptySubsequences: false)
        guard parts.count > 1, let first = parts.first, let last = parts.last, text.hasPrefix(first) else { return false }
        var rest = text.dropFirst(first.count)
        for part in parts.dropFirst().dropLast() {
            guard let place = rest.firstRange(of: part) else { return false }
            rest = rest[place.upperBound...]
        }
        return rest.hasSuffix(last)
    }
}
