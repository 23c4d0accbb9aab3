import PlatformBase
import Testing

@testable import NetworkKit

@Suite("What becomes of a request")
struct CacheDecisionTests {
    /// What is decided, in a word.
    private enum Outcome: Sendable, Equatable { case hit, refresh, validate, forced, ask(String), refuse }

    private struct Row: CustomTestStringConvertible, Sendable {
        var stored: String
        var asked = ""
        var policy: CachePolicy?
        /// Seconds since the answer came.
        var at = 10.0
        var isShared = false
        var outcome: Outcome
        var testDescription: String { "\(stored) | \(asked) | \(policy.map { "\($0)" } ?? "-") | \(at) s\(isShared ? " | shared" : "")" }
    }

    private static let table = [
        Row(stored: "max-age=60", outcome: .hit),
        Row(stored: "max-age=60", at: 60, outcome: .validate),
        Row(stored: "max-age=60", at: 600, outcome: .validate),
        Row(stored: "max-age=0", at: 0, outcome: .validate),
        Row(stored: "", outcome: .validate),
        Row(stored: "max-age=60, no-cache", outcome: .validate),
        Row(stored: "max-age=60, must-revalidate", outcome: .hit),
        Row(stored: "max-age=60, immutable", outcome: .hit),
        Row(stored: "max-age=60, immutable", at: 70, outcome: .validate),
        // What the request asks.
        Row(stored: "max-age=60", asked: "no-cache", outcome: .forced),
        Row(stored: "max-age=60", asked: "max-age=5", outcome: .forced),
        Row(stored: "max-age=60", asked: "max-age=10", outcome: .hit),
        Row(stored: "max-age=60", asked: "max-age=0", at: 0, outcome: .forced),
        Row(stored: "max-age=60", asked: "max-age=nonsense", outcome: .forced),
        Row(stored: "max-age=60", asked: "min-fresh=51", outcome: .forced),
        Row(stored: "max-age=60", asked: "min-fresh=50", outcome: .hit),
        Row(stored: "max-age=60", asked: "max-stale=10", at: 70, outcome: .hit),
        Row(stored: "max-age=60", asked: "max-stale=10", at: 71, outcome: .validate),
        Row(stored: "max-age=60", asked: "max-stale", at: 9e6, outcome: .hit),
        Row(stored: "max-age=60, must-revalidate", asked: "max-stale", at: 70, outcome: .validate),
        Row(stored: "max-age=60, no-cache", asked: "max-stale", at: 70, outcome: .validate),
        Row(stored: "max-age=60", asked: "only-if-cached", outcome: .hit),
        Row(stored: "max-age=60", asked: "only-if-cached", at: 70, outcome: .refuse),
        Row(stored: "max-age=60", asked: "only-if-cached, max-stale=10", at: 70, outcome: .hit),
        Row(stored: "max-age=60, stale-while-revalidate=60", asked: "only-if-cached", at: 70, outcome: .hit),
        // RFC 5861 §3.
        Row(stored: "max-age=60, stale-while-revalidate=10", at: 59, outcome: .hit),
        Row(stored: "max-age=60, stale-while-revalidate=10", at: 70, outcome: .refresh),
        Row(stored: "max-age=60, stale-while-revalidate=10", at: 71, outcome: .validate),
        Row(stored: "max-age=60, stale-while-revalidate=10, must-revalidate", at: 65, outcome: .validate),
        Row(stored: "max-age=60, stale-while-revalidate=10, no-cache", at: 65, outcome: .validate),
        Row(stored: "max-age=60, stale-while-revalidate=10", asked: "max-age=60", at: 65, outcome: .forced),
        Row(stored: "max-age=60, stale-while-revalidate=10", asked: "min-fresh=1", at: 65, outcome: .forced),
        // Shared.
        Row(stored: "max-age=60, s-maxage=5", outcome: .hit),
        Row(stored: "max-age=60, s-maxage=5", isShared: true, outcome: .validate),
        Row(stored: "max-age=5, s-maxage=60", isShared: true, outcome: .hit),
        Row(stored: "max-age=5, proxy-revalidate, stale-while-revalidate=60", outcome: .refresh),
        Row(stored: "max-age=5, proxy-revalidate, stale-while-revalidate=60", isShared: true, outcome: .validate),
        Row(stored: "s-maxage=5, stale-while-revalidate=60", isShared: true, outcome: .validate),
        // What the options ask.
        Row(stored: "max-age=60", policy: .protocol, outcome: .hit),
        Row(stored: "max-age=60", policy: .reload, outcome: .ask("request")),
        Row(stored: "max-age=60", asked: "only-if-cached", policy: .reload, outcome: .refuse),
        Row(stored: "max-age=60", policy: .revalidate, outcome: .forced),
        Row(stored: "max-age=60, immutable", policy: .revalidate, outcome: .hit),
        Row(stored: "max-age=60, immutable, no-cache", policy: .revalidate, outcome: .forced),
        Row(stored: "max-age=60, immutable", policy: .revalidate, at: 70, outcome: .forced),
        Row(stored: "max-age=60, must-revalidate", policy: .preferCache, at: 9e6, outcome: .hit),
        Row(stored: "no-cache", policy: .preferCache, outcome: .hit),
        Row(stored: "no-cache", policy: .cacheOnly, at: 9e6, outcome: .hit),
    ]

    private func outcome(_ decision: CacheDecision) -> Outcome {
        switch decision {
        case .use(_, _, let refreshing): refreshing ? .refresh : .hit
        case .validate(_, _, let isForced): isForced ? .forced : .validate
        case .ask(let reason): .ask(reason.rawValue)
        case .refuse: .refuse
        }
    }

    private func decide(_ entries: [CacheEntry], _ request: HTTPRequest, at: Double = 0, isShared: Bool = false) -> Outcome {
        outcome(
            CacheDecision.decide(
                request, RequestDirectives(request), entries: entries, identity: request.context.identity, isShared: isShared,
                hasQuery: false, now: cacheStart.addingTimeInterval(at)))
    }

    @Test("By what is stored and what is asked", arguments: table)
    private func each(row: Row) {
        let entry = cacheEntry(storedResponse(row.stored.isEmpty ? [:] : ["Cache-Control": row.stored]))
        let request = pageRequest("https://a.test/", .get, row.asked.isEmpty ? [:] : ["Cache-Control": row.asked], policy: row.policy)
        #expect(decide([entry], request, at: row.at, isShared: row.isShared) == row.outcome)
    }

    @Test("Pragma: no-cache counts where there is no Cache-Control")
    func pragma() {
        let entry = cacheEntry(storedResponse(["Cache-Control": "max-age=60"]))
        #expect(decide([entry], pageRequest("https://a.test/", .get, ["Pragma": "no-cache"])) == .forced)
        #expect(decide([entry], pageRequest("https://a.test/", .get, ["Pragma": "x"])) == .hit)
        #expect(decide([entry], pageRequest("https://a.test/", .get, ["Pragma": "no-cache", "Cache-Control": "max-age=90"])) == .hit)
    }

    @Test("Without a stored answer the server is asked, or nobody")
    func nothing() {
        #expect(decide([], pageRequest()) == .ask("uri-miss"))
        #expect(decide([], pageRequest(policy: .preferCache)) == .ask("uri-miss"))
        #expect(decide([], pageRequest(policy: .cacheOnly)) == .refuse)
        let other = cacheEntry(storedResponse(["Cache-Control": "max-age=60"], selectors: [.init(name: "foo", value: "1")]))
        #expect(decide([other], pageRequest()) == .ask("vary-miss"))
        #expect(decide([other], pageRequest("https://a.test/", .get, ["Cache-Control": "only-if-cached"])) == .refuse)
    }

    @Test("The newest of those that fit is taken, by the server's clock")
    func newest() {
        let entries = [30.0, 50, 40].enumerated().map { index, date in
            cacheEntry(storedResponse(["Date": httpDate(date), "Cache-Control": "max-age=60"]), id: UInt64(index))
        }
        #expect(CacheSelection.entry(of: entries, for: pageRequest(), identity: nil)?.id == 1)
    }

    @Test(
        "When a stale answer may stand in for an error",
        arguments: [
            ("max-age=60, stale-if-error=30", "", 90.0, 0.0, true), ("max-age=60, stale-if-error=30", "", 91, 0, false),
            ("max-age=60", "", 61, 0, false), ("max-age=60", "", 61, 10, true), ("max-age=60", "", 71, 10, false),
            ("max-age=60, stale-if-error=5", "", 69, 10, false), ("max-age=60", "stale-if-error=30", 90, 0, true),
            ("max-age=60, stale-if-error=300", "stale-if-error=5", 90, 0, false),
            ("max-age=60, stale-if-error=30, must-revalidate", "", 61, 0, false),
            ("max-age=60, stale-if-error=30, no-cache", "", 61, 0, false),
            ("max-age=60, must-revalidate", "", 61, 10, false), ("max-age=60, stale-if-error=30", "no-cache", 61, 0, false),
            ("max-age=60, stale-if-error=30", "max-age=5", 61, 0, false), ("max-age=60", "min-fresh=50", 20, 0, false),
            ("max-age=60", "max-age=5, stale-if-error=30", 20, 0, true),
        ])
    func standIn(stored: String, asked: String, at: Double, standard: Double, isAllowed: Bool) {
        let response = storedResponse(["Cache-Control": stored])
        let freshness = Freshness(of: response, at: cacheStart.addingTimeInterval(at), isShared: false, hasQuery: false)
        let directives = RequestDirectives(pageRequest("https://a.test/", .get, asked.isEmpty ? [:] : ["Cache-Control": asked]))
        #expect(CacheDecision.mayStandIn(response, freshness, directives, isShared: false, standard: standard) == isAllowed)
    }

    @Test("Only the policy that leaves it to the protocol lets a stale answer stand in", arguments: [CachePolicy.reload, .revalidate])
    func standInPolicy(policy: CachePolicy) {
        let response = storedResponse(["Cache-Control": "max-age=60, stale-if-error=30"])
        let freshness = Freshness(of: response, at: cacheStart, isShared: false, hasQuery: false)
        let directives = RequestDirectives(pageRequest(policy: policy))
        #expect(!CacheDecision.mayStandIn(response, freshness, directives, isShared: false, standard: 60))
    }

    @Test("A validating request names what is stored; what its caller says to caches goes on unchanged")
    func validators() {
        let both = storedResponse(["ETag": "W/\"x\"", "Last-Modified": httpDate(-5)])
        let request = pageRequest("https://a.test/", .get, ["X": "1"])
        #expect(both.validating(request).headers == ["X": "1", "If-None-Match": "W/\"x\"", "If-Modified-Since": httpDate(-5)])
        #expect(storedResponse([:]).validating(request).headers == request.headers)
        let tellings: [(CachePolicy, String?)] = [
            (.reload, "no-cache"), (.noStore, "no-cache"), (.revalidate, "max-age=0"), (.protocol, nil), (.preferCache, nil),
        ]
        for (policy, value) in tellings {
            let request = pageRequest(policy: policy)
            #expect(RequestDirectives(request).telling(request).headers[.cacheControl] == value)
            let own = pageRequest("https://a.test/", .get, ["Cache-Control": "x"], policy: policy)
            #expect(RequestDirectives(own).telling(own).headers[.cacheControl] == "x")
        }
    }
}
