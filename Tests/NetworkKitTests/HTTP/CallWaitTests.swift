import NetworkKitTesting
import PlatformBase
import Testing

@testable import NetworkKit

@Suite("CallWait and CallContext.pause")
struct CallWaitTests {
    private let clock = TestClock()

    private func context(_ scope: CallScope? = nil) -> CallContext {
        var context = CallContext(clock: clock)
        context.scope = scope
        return context
    }

    @Test("What is given ends the wait, and a second gift is refused")
    func given() async throws {
        let wait = CallWait<Int>()
        #expect(wait.give(.success(1)))
        #expect(!wait.give(.success(2)))
        let value = try await wait.value(in: context())
        #expect(value == 1)
    }

    @Test("The call's end ends the wait, before and after it began, and what is given later is refused")
    func callEnds() async {
        for isEarly in [true, false] {
            let scope = CallScope()
            let wait = CallWait<Int>()
            if isEarly { scope.end(.deadline(.seconds(3))) }
            async let value = wait.value(in: context(scope))
            if !isEarly { scope.end(.deadline(.seconds(3))) }
            do {
                _ = try await value
                Issue.record("a value came from nowhere")
            } catch {
                guard case .timedOut(let details) = error as? RequestError else { return #expect(Bool(false), "\(error)") }
                #expect(details.limit == .deadline)
            }
            #expect(!wait.give(.success(1)))
        }
    }

    @Test("Cancelling the task ends the wait of a request that has no call")
    func cancelled() async {
        let wait = CallWait<Int>()
        let context = context()
        let task = Task { try await wait.value(in: context) }
        task.cancel()
        let result = await task.result
        guard case .failure(let error) = result, let error = error as? RequestError else { return #expect(Bool(false), "\(result)") }
        #expect(error.isCancellation)
        #expect(!wait.give(.success(1)))
    }

    @Test("A pause lasts as long as it says on the call's clock, and one of no length is none")
    func pause() async throws {
        try await context().pause(for: .zero)
        try await context().pause(for: .seconds(-1))
        #expect(clock.elapsed == .zero)
        let context = context()
        async let pause: Void = context.pause(for: .seconds(5))
        await clock.advance(through: .seconds(5))
        try await pause
        #expect(clock.elapsed == .seconds(5))
    }

    @Test("A pause ends with the call, and leaves nobody asleep")
    func pauseEnds() async {
        let scope = CallScope()
        let context = context(scope)
        let task = Task { try await context.pause(for: .seconds(5)) }
        await clock.sleepers([.seconds(5)])
        scope.end(.cancelled)
        guard case .failure(let error) = await task.result, let error = error as? RequestError else {
            return #expect(Bool(false), "it lasted")
        }
        #expect(error.isCancellation)
        await clock.sleepers([])
        #expect(clock.elapsed == .zero)
    }

    @Test("A test's clock knows a date that goes on with it, and that can be set")
    func date() {
        let clock = TestClock()
        let call = CallClock(clock)
        #expect(call.date.timeIntervalSince1970 == 1_767_225_600)
        clock.advance(by: .milliseconds(1500))
        #expect(call.date.timeIntervalSince1970 == 1_767_225_601.5)
        clock.date = clock.date.addingTimeInterval(-3600)
        #expect(call.date.timeIntervalSince1970 == 1_767_222_001.5 && clock.elapsed == .milliseconds(1500))
    }
}
