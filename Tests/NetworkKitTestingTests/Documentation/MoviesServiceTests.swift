import NetworkKit
import NetworkKitTesting
import Testing

struct MoviesServiceTests {
    @Test func aPageIsRead() async throws {
        let service = MoviesService(session: .stubbed(.json(#"{"page": 1, "results": [{"id": 7, "title": "Metropolis"}]}"#)))
        #expect(try await service.topRated(page: 1).get().results.map(\.title) == ["Metropolis"])
    }

    @Test func aRefusalAndMalformedJSONAreTold() async {
        let (refusing, broken) = (MoviesService(session: .stubbed(.status(401))), MoviesService(session: .stubbed(.json("{"))))
        guard case .failure(.unauthorized) = await refusing.topRated(page: 1) else { return #expect(Bool(false), "expected unauthorized") }
        guard case .failure(.decode) = await broken.topRated(page: 1) else { return #expect(Bool(false), "expected decode") }
    }

    @Test func anAnswerTooSlowForItsDeadlineIsGivenUp() async {
        let clock = TestClock()
        let session = HTTPSession.stubbed(.json("{}").delayed(by: .seconds(20)), defaults: .init(deadline: .seconds(5)), clock: clock)
        async let outcome = MoviesService(session: session).topRated(page: 1)
        await clock.advance(through: .seconds(5))
        guard case .failure(.timedOut) = await outcome else { return #expect(Bool(false), "expected a timeout") }
    }
}
