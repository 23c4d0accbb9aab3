import NetworkKitTesting
import Testing

@testable import NetworkKit

@Suite("Calls: their clock, their end and their options")
struct CallTests {
    @Test("A call's clock counts from where it began, and sleeps until an instant")
    func clock() async throws {
        let manual = TestClock()
        let clock = CallClock(manual)
        #expect(clock.now == .zero)
        manual.advance(by: .seconds(3))
        #expect(clock.now == .seconds(3))
        async let slept: Void = clock.sleep(until: .seconds(10))
        await manual.sleepers([.seconds(7)])
        manual.advance(by: .seconds(7))
        try await slept
        try await clock.sleep(until: .seconds(10))
        try await clock.sleep(until: .seconds(1))
    }

    @Test("What remains of a call is never negative")
    func remaining() {
        let manual = TestClock()
        var context = CallContext(clock: manual)
        #expect(context.remaining == nil)
        context.deadline = .seconds(5)
        #expect(context.remaining == .seconds(5))
        manual.advance(by: .seconds(6))
        #expect(context.remaining == .zero)
        #expect(CallContext().id != CallContext().id)
    }

    @Test("A call ends once; each listener is told once, a late one at once, and one taken back never")
    func scope() {
        let scope = CallScope()
        let told = Recorder<String>()
        let (first, never) = (Teller("first", told), Teller("never", told))
        scope.listen(first)
        scope.listen(never)
        scope.forget(never)
        #expect(scope.ending == nil)
        scope.end(.timedOut())
        scope.end(.cancelled())
        scope.listen(Teller("late", told))
        #expect(told.values == ["first timedOut", "late timedOut"])
        #expect(scope.ending?.caseName == "timedOut")
    }

    @Test("Work that doesn't notice the call's end is left behind")
    func race() async throws {
        let scope = CallScope()
        #expect(try await scope.race { 1 }.get() == 1)
        let never = OneShot<Int>()
        async let outcome = scope.race { () async throws(RequestError) in await never.value() }
        scope.end(.cancelled())
        guard case .failure(.cancelled) = await outcome else { return #expect(Bool(false), "expected cancelled") }
        never.resolve(1)
        guard case .failure(.cancelled) = await scope.race({ await OneShot<Int>().value() }) else {
            return #expect(Bool(false), "a call that is over starts nothing")
        }
    }

    @Test("Options of an endpoint win over the session's, each for itself")
    func options() {
        let own = RequestOptions(timeout: .seconds(1), redirectPolicy: .manual, name: "own")
        let merged = own.merging(
            defaults: .init(timeout: .seconds(2), deadline: .seconds(3), cachePolicy: .reload, maximumBodySize: 4, idempotencyKey: "k"))
        let expected = RequestOptions(
            timeout: .seconds(1), deadline: .seconds(3), cachePolicy: .reload, maximumBodySize: 4, redirectPolicy: .manual,
            name: "own")
        #expect(merged == expected)
        #expect(RedirectPolicy.standard.limit == 20 && !RedirectPolicy.standard.allowsInsecure)
    }

    @Test("A text in a message is quoted, escaped and cut")
    func quoted() {
        #expect(Token.quoted("a\r\n\"b") == #""a\r\n\"b""#)
        #expect(Token.quoted(String(repeating: "x", count: 81)) == "\"" + String(repeating: "x", count: 80) + "…\"")
        #expect(Token.quoted(String(repeating: "x", count: 80)).hasSuffix("x\""))
    }

    @Test("A status knows its class and its phrase")
    func status() {
        #expect("\(HTTPStatus(404))" == "404 Not Found" && "\(HTTPStatus(299))" == "299")
        #expect(HTTPStatus(100).isInformational && HTTPStatus(299).isSuccess && HTTPStatus(304).isRedirection)
        #expect(HTTPStatus(499).isClientError && HTTPStatus(599).isServerError && !HTTPStatus(600).isServerError)
        #expect(HTTPStatus(200) < 404)
    }
}

/// Notes that it has been told.
private final class Teller: CallListener {
    private let name: String
    private let told: Recorder<String>

    init(_ name: String, _ told: Recorder<String>) {
        self.name = name
        self.told = told
    }

    func callEnded(_ reason: RequestError) { told.add("\(name) \(reason.caseName)") }
}
