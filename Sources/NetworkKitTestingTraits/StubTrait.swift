public import NetworkKitTesting
public import Testing

/// Gives a test a stub and a clock of its own: see ``Testing/Trait/stubbed(_:)``.
public struct StubTrait: TestTrait, SuiteTrait, TestScoping {
    let routes: StubRoutes

    /// A suite's trait is that of each of its tests.
    public var isRecursive: Bool { true }

    /// Runs a test, or one case of it, with a new stub and a new clock.
    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        let stub = StubTransport(routes.renewed())
        try await TestNetwork.$current.withValue(TestNetwork(transport: stub, stub: stub, clock: TestClock())) {
            try await function()
        }
    }
}

extension Trait where Self == StubTrait {
    /// Gives each test, and each case of a test with arguments, a stub of its own with these routes, and a clock that stands still.
    ///
    /// ```swift
    /// @Test(.stubbed { $0.get("movie/top_rated", .json(page)) })
    /// func firstPage() async throws {
    ///     let service = MoviesService(session: .ofTest())
    ///     #expect(try await service.topRated(page: 1).get().results.count == 20)
    ///     #expect(StubTransport.ofTest.requests.count == 1)
    /// }
    /// ```
    public static func stubbed(_ add: (inout StubRoutes) -> Void) -> Self {
        var routes = StubRoutes()
        add(&routes)
        return StubTrait(routes: routes)
    }

    /// Gives each test a stub that answers every request: in order, and the last answer again and again.
    public static func stubbed(_ answer: StubAnswer, _ more: StubAnswer...) -> Self {
        StubTrait(routes: StubRoutes(answering: [answer] + more))
    }
}
