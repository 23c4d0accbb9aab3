internal import PlatformBase

/// How old a stored answer is, and until when it is fresh (RFC 9111 §4.2).
struct Freshness: Sendable, Equatable {
    /// Seconds since the answer was made or validated by its server. Never negative.
    let age: Double
    /// For how many seconds from then it is fresh. Negative where `Expires` lies before `Date`.
    let lifetime: Double

    var isFresh: Bool { lifetime > age }
    /// For how many seconds it is still fresh; negative when it isn't any more.
    var remaining: Double { lifetime - age }

    /// - Parameter hasQuery: whether the URL has a query; then nothing is guessed.
    init(of response: StoredResponse, at now: Date, isShared: Bool, hasQuery: Bool) {
        age = Self.age(of: response, at: now)
        lifetime = Self.lifetime(of: response, isShared: isShared, hasQuery: hasQuery)
    }

    /// RFC 9111 §4.2.3. The server's clock may be wrong, so that the larger of two ages counts: the one that its `Date` gives and the
    /// one that `Age` and the time on the way give.
    private static func age(of response: StoredResponse, at now: Date) -> Double {
        let facts = response.facts
        let apparent = max(0, response.responseTime.timeIntervalSince(facts.date))
        let corrected = Double(facts.age) + max(0, response.responseTime.timeIntervalSince(response.requestTime))
        let resident = now.timeIntervalSince(response.responseTime)
        // Our own clock was set back: how long the answer has lain here, nobody knows.
        guard resident > -Self.toleratedStep else { return .infinity }
        return max(apparent, corrected) + max(0, resident)
    }

    /// Seconds by which a clock is put right now and then.
    static let toleratedStep = 10.0

    /// RFC 9111 §4.2.1.
    private static func lifetime(of response: StoredResponse, isShared: Bool, hasQuery: Bool) -> Double {
        let facts = response.facts
        if isShared, let seconds = facts.control.sharedMaxAge { return Double(seconds) }
        if let seconds = facts.control.maxAge { return Double(seconds) }
        if let expires = facts.expires { return expires.timeIntervalSince(facts.date) }
        return hasQuery ? 0 : heuristic(response)
    }

    /// RFC 9111 §4.2.2: a tenth of the time since the last change, a day at most. What has a query is made for the question as a rule.
    private static func heuristic(_ response: StoredResponse) -> Double {
        guard let changed = response.facts.lastModified, response.status.isHeuristicallyCacheable || response.facts.control.isPublic
        else { return 0 }
        return min(max(0, response.facts.date.timeIntervalSince(changed) / 10), 86_400)
    }
}

extension HTTPStatus {
    /// Whether an answer may be stored that says nothing of how long it is fresh (RFC 9110 §15.1).
    var isHeuristicallyCacheable: Bool {
        switch code {
        case 200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501: true
        default: false
        }
    }
}
