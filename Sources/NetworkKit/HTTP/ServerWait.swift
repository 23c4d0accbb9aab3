internal import PlatformBase

/// How long an answer asks its client to wait: a function of its fields and the date.
///
/// The first that says something valid counts: `Retry-After` (RFC 9110 §10.2.3); a `RateLimit` whose quota is used up
/// (draft-ietf-httpapi-ratelimit-headers); `RateLimit-Remaining: 0` with `RateLimit-Reset`, as earlier drafts had it;
/// `X-RateLimit-Remaining: 0` with `X-RateLimit-Reset`, as most APIs have it. A 429 that says nothing of what remains has nothing left.
enum ServerWait {
    /// The wait, never negative; `nil` where the answer asks for none, or not in a form that can be read.
    static func wait(_ headers: HTTPFields, status: HTTPStatus? = nil, now: Date) -> Duration? {
        // A date is one of the server's clock, so it is compared with that, if the answer says what it shows: ours may be wrong.
        let today = headers[.date].flatMap { HTTPDate.date($0.trimmingSpaces(), now: now) } ?? now
        if let text = headers[.retryAfter], let wait = retryAfter(text, now: today) { return wait }
        if let text = headers["RateLimit"], let wait = RateLimitField.wait(text, policy: headers["RateLimit-Policy"]) { return wait }
        let isUsedUp = status == 429
        return reset("RateLimit", headers, isUsedUp, now: today) ?? reset("X-RateLimit", headers, isUsedUp, now: today)
    }

    /// `Retry-After`: seconds, or a date in one of HTTP's three forms.
    static func retryAfter(_ text: String, now: Date) -> Duration? {
        let text = text.trimmingSpaces()
        if let seconds = wholeNumber(text) { return .seconds(seconds) }
        return HTTPDate.date(text, now: now).map { until($0.timeIntervalSince1970, now) }
    }

    /// The reset of a quota that is used up. A small number is seconds from now; a large one a time, in seconds or milliseconds
    /// since 1970.
    private static func reset(_ prefix: String, _ headers: HTTPFields, _ isUsedUp: Bool, now: Date) -> Duration? {
        let remaining = headers[HTTPField.Name(stringLiteral: prefix + "-Remaining")]
        guard remaining.map({ wholeNumber($0.trimmingSpaces()) == 0 }) ?? isUsedUp,
            let text = headers[HTTPField.Name(stringLiteral: prefix + "-Reset")], let reset = wholeNumber(text.trimmingSpaces())
        else { return nil }
        return switch reset {
        case ..<100_000_000: .seconds(reset)
        case ..<100_000_000_000: until(Double(reset), now)
        default: until(Double(reset) / 1000, now)
        }
    }

    private static func until(_ time: Double, _ now: Date) -> Duration {
        .seconds(min(max(time - now.timeIntervalSince1970, 0), Double(longest)))
    }

    /// Digits and nothing else (RFC 9110's `delay-seconds`). What is longer than any wait is ``longest``.
    private static func wholeNumber(_ text: String) -> Int64? {
        guard !text.isEmpty, text.utf8.allSatisfy({ $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }) else { return nil }
        return min(Int64(text) ?? longest, longest)
    }

    /// More than anybody waits, and a number that nothing overflows with.
    private static let longest: Int64 = 1_000_000_000_000_000
}
