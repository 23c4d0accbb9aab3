import NetworkKitTesting
import PlatformBase
import Testing

@testable import NetworkKit

@Suite("The stack together: a server that fails in every way")
struct ChaosTests {
    /// How many calls are made; fewer where each instruction costs more.
    private static let calls = Sanitizer.isOn ? 1000 : 10_000
    private static let share = 0.6
    private static let floor = 10

    /// What the server does with its requests, by lot.
    private enum Fault: CaseIterable {
        case reset, busy, cut, stall, limited, none

        static func drawn(_ number: Double) -> Fault {
            switch number {
            case ..<0.10: .reset
            case ..<0.20: .busy
            case ..<0.25: .cut
            case ..<0.27: .stall
            case ..<0.32: .limited
            default: .none
            }
        }
    }

    @Test(
        "Every call ends once, with its own value or a typed error, within its deadline; the server sees no more than the budget allows"
    )
    func chaos() async throws {
        let random = SeededRandom(seed: 6)
        let faults = Lock([Fault: Int]())
        try await LoopbackServer.with { routes in
            routes.get("/:id") { request in
                var random = random
                let fault = Fault.drawn(.random(in: 0..<1, using: &random))
                faults.withLock { $0[fault, default: 0] += 1 }
                let text = "answer \(request.path)"
                return switch fault {
                case .reset: .reset
                case .busy: .text("busy", status: 503)
                case .cut: .text(text).cut(afterBodyBytes: 3)
                case .stall: .stalled
                case .limited: .text("later", status: 429, headers: ["Retry-After": "0"])
                case .none: .text(text)
                }
            }
        } perform: { server in
            let budget = RetryBudget(share: Self.share, floor: Self.floor, window: .seconds(600))
            let policy = RetryPolicy(maximumAttempts: 4, backoff: .init(base: .milliseconds(2), cap: .milliseconds(20)))
            // A breaker would open, as it should, and hide what is asked here.
            let coalescing = CoalescingInterceptor(ignoring: [])
            let standard = HTTPSession.standard(
                coalescing: coalescing, authentication: .authentication(.bearer("synthetic")),
                retry: .retry(policy, budget: budget, random: random),
                circuitBreaker: .circuitBreaker(.init(failureRatio: 1, minimumRequests: 1_000_000)),
                concurrencyLimit: .concurrencyLimit(perHost: 64))
            let resends = Resends()
            let session = HTTPSession(
                transport: CurlTransport(.init(proxy: .none, idleLifetime: .seconds(1))),
                interceptors: standard.stack.interceptors + [resends],
                defaults: .init(timeout: .milliseconds(500), deadline: .seconds(120)))
            let client = NetworkClient(session: session)
            let tally = Box()
            await withTaskGroup(of: Void.self) { group in
                for first in 0..<64 {
                    group.addTask {
                        for id in stride(from: first, to: Self.calls, by: 64) {
                            let result = await client.reply(endpoint: server.call("\(id)"), responseModel: String.self)
                            tally.state.withLock { $0.take(result, of: id) }
                        }
                    }
                }
            }
            let end = tally.state.withLock { $0 }
            #expect(end.ended == Self.calls && end.twice == 0)
            #expect(coalescing.callers == 0, "an exchange is left behind")
            // The kept connections are closed when nobody has used them for a while, and then there is none.
            await server.waitUntilIdle()
            #expect(end.wrong.isEmpty, "\(end.wrong.prefix(5))")
            // What one attempt in three doesn't survive, four attempts nearly all do, while the budget lasts.
            #expect(end.values > Self.calls * 9 / 10, "\(end.values) values, \(end.errors)")
            let asked = server.requestCount
            let allowed = Double(Self.calls) * (1 + Self.share) + Double(Self.floor)
            let own = resends.count.value.withLock { $0 }
            #expect(Double(asked - own) <= allowed, "\(asked) requests, \(own) of them the transport's own")
            #expect(faults.withLock { $0.count } == Fault.allCases.count)
        }
    }

    /// Counts what the transport sent again by itself.
    private struct Resends: Interceptor {
        let count = Counter()
        final class Counter: Sendable { let value = Lock(0) }

        func intercept(_ request: HTTPRequest, next: Next) async throws(RequestError) -> HTTPResponse {
            var request = request
            request.listen { [count] event in
                if case .ended(let metrics) = event { count.value.withLock { $0 += max(metrics.sends - 1, 0) } }
            }
            return try await next(request)
        }
    }

    private final class Box: Sendable { let state = Lock(Tally()) }

    private struct Tally {
        var values = 0
        var ended = 0
        var twice = 0
        var errors: [String: Int] = [:]
        var wrong: [String] = []
        private var seen: Set<Int> = []

        mutating func take(_ result: Result<Reply<String>, RequestError>, of id: Int) {
            ended += 1
            if !seen.insert(id).inserted { twice += 1 }
            switch result {
            case .success(let reply):
                values += 1
                if reply.value != "answer /\(id)" { wrong.append("\(id): \(reply.value)") }
            case .failure(let error):
                errors[error.caseName, default: 0] += 1
                switch error {
                case .connection, .timedOut, .unexpectedStatusCode, .noResponse: break
                default: wrong.append("\(id): \(error)")
                }
                if error.attempts.isEmpty { wrong.append("\(id): no attempts in \(error)") }
            }
        }
    }
}
