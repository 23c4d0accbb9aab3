import Foundation
import NetworkKitTesting
import Testing

@testable import NetworkKit

@Suite("When a request is sent again")
struct RetryPolicyTests {
    private let policy = RetryPolicy(backoff: .constant(.seconds(2)))
    private let now = RetryMoment(date: ServerWaitTests.now)

    private func request(
        _ method: HTTPMethod = .get, headers: HTTPFields = [:], body: RequestBody? = nil, options: RequestOptions = .init()
    ) -> HTTPRequest {
        HTTPRequest(url: url("https://a.test"), method: method, headers: headers, body: body, options: options)
    }

    private func answer(_ status: HTTPStatus, _ headers: HTTPFields = [:]) -> RetryOutcome {
        .answer(ResponseHead(status: status, headers: headers, url: url("https://a.test")))
    }

    private func decide(
        _ outcome: RetryOutcome, _ request: HTTPRequest? = nil, policy: RetryPolicy? = nil, attempt: Int = 1, remaining: Duration? = nil
    ) -> RetryDecision {
        (policy ?? self.policy).decide(
            attempt: attempt, request: request ?? self.request(), outcome: outcome, now: .init(date: now.date, remaining: remaining),
            random: 0.5)
    }

    @Test("Statuses that may pass are tried again, and no other", arguments: 100..<600)
    func statuses(code: Int) {
        let expected: RetryDecision = [408, 425, 429, 500, 502, 503, 504].contains(code) ? .after(.seconds(2)) : .stop(.isFinal)
        #expect(decide(answer(HTTPStatus(code))) == expected)
    }

    @Test(
        "Failures that may pass are tried again, and no other",
        arguments: [
            (.connection(.init(.init(kind: .nameLookup))), true), (.connection(.init(.init(kind: .refused))), true),
            (.connection(.init(.init(kind: .reset))), true), (.connection(.init(.init(kind: .truncated))), true),
            (.connection(.init(.init(kind: .stale))), true), (.connection(.init(.init(kind: .proxy))), true),
            (.connection(), true), (.connection(.init(.init(kind: .tls))), false), (.connection(.init(.init(kind: .malformed))), false),
            (.timedOut(), true), (.timedOut(.init(.init(limit: .deadline))), false), (.noResponse(), true), (.cancelled(), false),
            (.invalidURL(), false), (.encode(), false), (.decode(), false), (.unauthorized(), false), (.responseTooLarge(), false),
            (.redirect(), false), (.notReplayable(), false), (.rejected(), false), (.authentication(), false), (.file(), false),
            (.integrity(), false), (.stream(), false), (.unknown(), false), (.interceptor(CancellationError()), false),
        ] as [(RequestError, Bool)])
    func failures(error: RequestError, isRetried: Bool) {
        #expect(decide(.failure(error)) == (isRetried ? .after(.seconds(2)) : .stop(.isFinal)))
    }

    @Test("An interceptor's error for a status counts as the status, with the wait it asks for")
    func statusErrors() {
        let head = ResponseHead(status: 503, headers: ["Retry-After": "4"], url: url("https://a.test"))
        #expect(decide(.failure(.unexpectedStatusCode(.init(response: .init(head: head))))) == .after(.seconds(4)))
        let notFound = ResponseHead(status: 404, url: url("https://a.test"))
        #expect(decide(.failure(.unexpectedStatusCode(.init(response: .init(head: notFound))))) == .stop(.isFinal))
    }

    @Test(
        "What isn't idempotent is sent once, unless it has a key or the policy names its method",
        arguments: [
            (.get, true), (.head, true), (.put, true), (.delete, true), (.options, true), (.trace, true), (.query, true),
            (.post, false), (.patch, false),
        ] as [(HTTPMethod, Bool)])
    func methods(method: HTTPMethod, isRetried: Bool) {
        for outcome in [answer(503), .failure(.connection(.init(.init(kind: .refused)))), .failure(.timedOut())] {
            #expect(decide(outcome, request(method)) == (isRetried ? .after(.seconds(2)) : .stop(.notIdempotent)))
            #expect(decide(outcome, request(method, headers: ["Idempotency-Key": "k"])) == .after(.seconds(2)))
            #expect(decide(outcome, request(method, options: .init(idempotencyKey: "k"))) == .after(.seconds(2)))
            var policy = policy
            policy.additionalMethods = [.post, .patch]
            #expect(decide(outcome, request(method), policy: policy) == .after(.seconds(2)))
        }
    }

    @Test("The number of attempts is bounded", arguments: [-1, 0, 1, 2, 3, 10])
    func attempts(maximum: Int) {
        let policy = RetryPolicy(maximumAttempts: maximum, backoff: .constant(.seconds(2)))
        for attempt in 1..<12 {
            #expect(
                decide(answer(503), policy: policy, attempt: attempt) == (attempt < maximum ? .after(.seconds(2)) : .stop(.attemptsUsedUp)))
        }
    }

    @Test("A body must be there to be sent again; a stream that nobody has read still is")
    func bodies() async throws {
        let outcome = answer(503)
        #expect(decide(outcome, request(.put, body: .data(Data("x".utf8)))) == .after(.seconds(2)))
        #expect(decide(outcome, request(.put, body: .stream(open: { [Data("x".utf8)].stream }))) == .after(.seconds(2)))
        let once = RequestBody.stream([Data("x".utf8)].stream)
        #expect(decide(outcome, request(.put, body: once)) == .after(.seconds(2)))
        for try await _ in once.chunks() {}
        #expect(decide(outcome, request(.put, body: once)) == .stop(.notReplayable))
    }

    @Test(
        "A server's wait is kept to; one beyond the cap ends the call, and what can't be read doesn't count",
        arguments: [
            ("0", .after(.zero)), ("60", .after(.seconds(60))), ("61", .stop(.serverAsksTooMuch(.seconds(61)))),
            ("-1", .after(.seconds(2))),
            ("nonsense", .after(.seconds(2))), ("Mon, 30 Nov 2026 12:00:30 GMT", .after(.seconds(30))),
            ("Mon, 30 Nov 2026 12:01:30 GMT", .stop(.serverAsksTooMuch(.seconds(90)))), ("Sun, 29 Nov 2026 12:00:00 GMT", .after(.zero)),
        ] as [(String, RetryDecision)])
    func serverWaits(text: String, expected: RetryDecision) {
        for status: HTTPStatus in [429, 500, 503] { #expect(decide(answer(status, ["Retry-After": text])) == expected) }
    }

    @Test("The head of an answer that broke off asks for nothing")
    func brokenAnswer() {
        let head = ResponseHead(status: 200, headers: ["Retry-After": "50"], url: url("https://a.test"))
        let error = RequestError.connection(.init(.init(kind: .truncated))).retold { $0.response = FailedResponse(head: head) }
        #expect(decide(.failure(error)) == .after(.seconds(2)))
    }

    @Test(
        "A wait that would last until the deadline isn't begun",
        arguments: [
            (nil, .after(.seconds(2))), (.seconds(3), .after(.seconds(2))), (.milliseconds(2001), .after(.seconds(2))),
            (.seconds(2), .stop(.deadline(wait: .seconds(2)))), (.seconds(1), .stop(.deadline(wait: .seconds(2)))),
            (.zero, .stop(.deadline(wait: .seconds(2)))),
        ] as [(Duration?, RetryDecision)])
    func deadline(remaining: Duration?, expected: RetryDecision) {
        #expect(decide(answer(503), remaining: remaining) == expected)
    }

    @Test("A clock that jumped back makes a date far away, which ends the call and isn't waited for")
    func clockThatJumpedBack() {
        let decision = policy.decide(
            attempt: 1, request: request(), outcome: answer(503, ["Retry-After": "Mon, 30 Nov 2026 12:00:30 GMT"]),
            now: .init(date: now.date.addingTimeInterval(-31_536_000)), random: 0)
        #expect(decision == .stop(.serverAsksTooMuch(.seconds(31_536_030))))
    }
}
