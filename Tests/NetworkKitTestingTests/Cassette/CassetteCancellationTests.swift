import Foundation
import NetworkKit
import NetworkKitTesting
import Testing

@Suite("Cassettes: cancellation")
struct CassetteCancellationTests {
    private let folder = ScratchFolder()

    private func recording() async throws -> String {
        let path = folder.path("once.har")
        let clock = TestClock()
        let cassette = try Cassette(path: path, transport: StubTransport(.text("x").delayed(by: .seconds(5))))
        async let recorded = cassette.client(clock: clock).data(for: Ask())
        await clock.advance(through: .seconds(5))
        _ = try await recorded.get()
        return path
    }

    @Test("A request of a task that is cancelled already leaves its recording to others")
    func before() async throws {
        let cassette = try Cassette(path: try await recording(), mode: .none)
        let request = HTTPRequest(url: sampleURL("https://films.test/3/ask"))
        let cancelled = Task { () -> RequestError? in
            withUnsafeCurrentTask { $0?.cancel() }
            do throws(RequestError) {
                _ = try await cassette.send(request)
                return nil
            } catch {
                return error
            }
        }
        #expect(await cancelled.value?.isCancellation == true)
        #expect(try await cassette.send(request).body.collect(upTo: 9) == Data("x".utf8))
    }

    @Test("So does one that is cancelled while it waits for the answer's head")
    func during() async throws {
        let clock = TestClock()
        let cassette = try Cassette(path: try await recording(), mode: .none, options: .init(isPaced: true))
        let waiting = Task { await cassette.client(clock: clock).data(for: Ask()) }
        while !clock.waits.contains(.seconds(5)) { await Task.yield() }
        waiting.cancel()
        #expect(await waiting.value.error?.isCancellation == true)
        async let again = cassette.client(clock: clock).data(for: Ask())
        await clock.advance(through: .seconds(5))
        #expect(try await again.get() == Data("x".utf8))
        #expect(await cassette.client().data(for: Ask()).error != nil)
    }
}
