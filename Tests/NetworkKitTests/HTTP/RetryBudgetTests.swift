import NetworkKitTesting
import Testing

@testable import NetworkKit

@Suite("The retry budget")
struct RetryBudgetTests {
    /// How many additions there are at a moment.
    private func left(_ window: inout RetryWindow, at now: Duration, most: Int = 10_000) -> Int {
        var count = 0
        while count < most, window.spend(at: now) { count += 1 }
        return count
    }

    @Test(
        "There is a share of the calls, and the floor in any case",
        arguments: [
            (0, 0.2, 10, 10), (1, 0.2, 10, 10), (5, 0.2, 10, 11), (1000, 0.2, 10, 210), (1000, 0.1, 0, 100), (1000, 0, 10, 10),
            (1000, -1, -1, 0), (1000, .nan, 0, 0), (0, 0.2, 0, 0), (10, 1, 0, 10), (3, 0.1, 0, 0), (10, 0.1, 0, 1),
        ] as [(Int, Double, Int, Int)])
    func share(calls: Int, share: Double, floor: Int, expected: Int) {
        var window = RetryWindow(share: share, floor: floor, window: .seconds(10))
        for _ in 0..<calls { window.count(at: .seconds(1)) }
        let count = left(&window, at: .seconds(1))
        #expect(count == expected)
        let isMore = window.spend(at: .seconds(1))
        #expect(!isMore)
    }

    @Test("What is older than the window counts no more, neither calls nor additions")
    func window() {
        var window = RetryWindow(share: 0.5, floor: 1, window: .seconds(10))
        for _ in 0..<10 { window.count(at: .seconds(100)) }
        // In the end the calls are gone and the additions aren't, then those are too, and after a long silence there is the floor.
        let counts = [105, 111, 116, 1_000_000].map { left(&window, at: .seconds($0)) }
        #expect(counts == [6, 0, 1, 1])
    }

    @Test("In no ten seconds is more added than the share of their calls and the floor", arguments: [1, 2, 3] as [UInt64])
    func bound(seed: UInt64) {
        let random = SeededRandom(seed: seed)
        var window = RetryWindow(share: 0.2, floor: 10, window: .seconds(10))
        var (calls, spent): ([Duration], [Duration]) = ([], [])
        var now = Duration.zero
        for _ in 0..<5000 {
            now += .milliseconds(Int(random.next() % 40))
            window.count(at: now)
            calls.append(now)
            if window.spend(at: now) { spent.append(now) }
        }
        // Slots are let go of as a whole, so nine seconds are sure to be in the window.
        for start in stride(from: 0, to: Int(now / .seconds(1)), by: 1) {
            let range = Duration.seconds(start)...(.seconds(start) + .seconds(9))
            let before = (range.lowerBound - .seconds(10))...range.upperBound
            #expect(Double(spent.count { range.contains($0) }) <= 10 + 0.2 * Double(calls.count { before.contains($0) }))
        }
        #expect(Double(spent.count) <= 0.2 * 5000 + 10 * (now / .seconds(10) + 1))
    }

    @Test("A clock that goes back, or far ahead, does no harm")
    func oddClocks() {
        var window = RetryWindow(share: 0.2, floor: 2, window: .seconds(10))
        let spends = [.seconds(1000), .seconds(5), .seconds(-1_000_000), .seconds(Int64.max / 2), .zero].map { window.spend(at: $0) }
        #expect(spends == [true, true, false, true, true])
        window.count(at: .zero)
    }

    @Test("A call is counted once, however many share the budget")
    func countedOnce() {
        let budget = RetryBudget(share: 1, floor: 0)
        var request = HTTPRequest(url: url("https://a.test"))
        request.context.scope = CallScope()
        budget.count(request)
        budget.count(request)
        #expect(budget.spend(at: request.context.clock.now))
        #expect(!budget.spend(at: request.context.clock.now))
    }

    @Test("A call is counted once by each of two budgets, however often it comes by")
    func countedOnceByEach() {
        let budgets = (0..<3).map { _ in RetryBudget(share: 1, floor: 0) }
        var request = HTTPRequest(url: url("https://a.test"))
        request.context.scope = CallScope()
        for _ in 0..<3 {
            for budget in budgets { budget.count(request) }
        }
        for budget in budgets {
            #expect(budget.spend(at: request.context.clock.now))
            #expect(!budget.spend(at: request.context.clock.now))
        }
    }

    @Test("A call with a budget for retries and one for hedging is counted once by each, over all hops")
    func countedOnceOverHops() async throws {
        let (retries, hedges) = (RetryBudget(share: 1, floor: 0), RetryBudget(share: 1, floor: 0))
        let stub = StubTransport(redirects: [
            "https://api.example.com": "https://api.example.com/b", "https://api.example.com/b": "https://api.example.com/c",
        ])
        let session = HTTPSession(
            transport: stub, interceptors: [.redirects(), .retry(budget: retries), .hedging(after: .seconds(1), budget: hedges)],
            clock: TestClock())
        _ = try await NetworkClient(session: session).data(for: SampleEndpoint()).get()
        #expect(stub.requests.count == 3)
        for budget in [retries, hedges] { #expect(budget.spend(at: .zero) && !budget.spend(at: .zero)) }
    }
}
