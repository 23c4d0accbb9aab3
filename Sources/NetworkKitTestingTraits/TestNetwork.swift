public import NetworkKit
public import NetworkKitTesting
internal import Testing

/// What stands in the place of a network for the test that runs.
struct TestNetwork: Sendable {
    let transport: any Transport
    let stub: StubTransport
    /// `nil` for a cassette, which may have to ask a real server.
    let clock: TestClock?

    @TaskLocal static var current: TestNetwork?
}

extension HTTPSession {
    /// A session on the running test's stub or cassette: see `.stubbed` and `.cassette`. A stub's goes by ``TestClock/ofTest``.
    ///
    /// Outside of such a test every request fails, and says so: no test reaches a network by mistake.
    public static func ofTest(
        interceptors: [any Interceptor] = [], defaults: RequestOptions = .init(), headers: HTTPFields = .standard
    ) -> HTTPSession {
        let network = TestNetwork.current
        var clock: any Clock<Duration> = ContinuousClock()
        if let turned = network?.clock { clock = turned }
        return HTTPSession(
            transport: network?.transport ?? StubTransport.ofTest, interceptors: interceptors, defaults: defaults, headers: headers,
            clock: clock)
    }
}

extension StubTransport {
    /// The stub of the running test.
    public static var ofTest: StubTransport {
        TestNetwork.current?.stub
            ?? StubTransport(
                .failure(.unknown(.init(reason: "the test has no stub; give it the trait .stubbed { … } or .cassette(…)"))))
    }
}

extension TestClock {
    /// The clock of the running test's session.
    ///
    /// A test with the trait `.stubbed` has one. In another, whose session goes by a clock that nobody turns, asking for it is an issue of
    /// the test.
    public static var ofTest: TestClock {
        if let clock = TestNetwork.current?.clock { return clock }
        if TestNetwork.current == nil {
            Issue.record("the test has no TestClock; give it the trait .stubbed { … }")
        } else {
            Issue.record(
                """
                a test with the trait .cassette has no TestClock, since its session may have to ask a real server; make a clock, and give it to \
                a session on a Cassette: HTTPSession(transport: try Cassette(…), clock: clock)
                """)
        }
        return TestClock()
    }
}
