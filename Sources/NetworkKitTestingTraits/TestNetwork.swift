public import NetworkKit
public import NetworkKitTesting

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
    public static var ofTest: TestClock { TestNetwork.current?.clock ?? TestClock() }
}
