import NetworkKit
import NetworkKitTesting
import PlatformBase
import Testing

extension OneAtATime {
    @Suite("CurlTransport: time")
    struct CurlTransportTimeoutTests {
        private let routes = LoopbackRoutes { routes in
            routes.get("/silent") { _ in .stalled }
            routes.get("/stalling") { _ in .text("0123456789").stalling(afterBodyBytes: 1) }
            routes.get("/drip/:milliseconds") { request in
                .text("0123456789").dripping(bytes: 1, every: .milliseconds(Int(request.parameters["milliseconds"] ?? "") ?? 0))
            }
            routes.get("/drip") { _ in .text("0123456789").dripping(bytes: 1, every: .milliseconds(250)) }
            routes.get("/late") { _ in .text("late").delayed(by: .milliseconds(600)) }
        }

        /// How long a call took, and its error.
        private func timed(_ call: Call, _ client: TestClient) async -> (Duration, RequestError?) {
            let start = ContinuousClock.now
            let result = await client.data(for: call)
            return (start.duration(to: .now), result.failure)
        }

        @Test(
            "B41: a silence ends the attempt when it is as long as the timeout, before the head and in mid-body",
            arguments: ["silent", "stalling"])
        func silence(_ path: String) async throws {
            try await LoopbackServer.with(routes) { server in
                let (time, failure) = await timed(server.call(Path(path), options: .init(timeout: .milliseconds(400))), TestClient())
                guard case .timedOut(let details) = failure else { return #expect(Bool(false), "\(String(describing: failure))") }
                #expect(details.limit == .attempt && details.after == .milliseconds(400))
                #expect(time >= .milliseconds(400))
            }
        }

        @Test("A body that drips on isn't silent")
        func dripping() async throws {
            try await LoopbackServer.with(routes) { server in
                // A machine that stands still for as long is silent too, so it is tried again, more slowly.
                try await Unhurried.judge { pace in
                    let (_, failure) = await timed(
                        server.call("drip/\(250 * pace)", options: .init(timeout: .seconds(2 * pace))), TestClient())
                    return failure == nil
                }
            }
        }

        @Test("The deadline bounds the whole call, the body included")
        func deadline() async throws {
            try await LoopbackServer.with(routes) { server in
                for path in ["drip", "silent"] {
                    let (time, failure) = await timed(server.call(Path(path), options: .init(deadline: .milliseconds(350))), TestClient())
                    guard case .timedOut(let details) = failure else { return #expect(Bool(false), "\(String(describing: failure))") }
                    #expect(details.limit == .deadline && details.after == .milliseconds(350))
                    #expect(time >= .milliseconds(350))
                }
            }
        }

        @Test("A stream's deadline counts while its body is read")
        func streamDeadline() async throws {
            try await LoopbackServer.with(routes) { server in
                do throws(RequestError) {
                    let call = server.call("drip", options: .init(deadline: .milliseconds(1200)))
                    let response = try await TestClient().response(for: call).get()
                    for try await _ in response.body {}
                    Issue.record("the body came to an end")
                } catch {
                    guard case .timedOut(let details) = error else { return #expect(Bool(false), "\(error)") }
                    #expect(details.limit == .deadline)
                }
            }
        }

        @Test("A deadline holds against an interceptor that waits for something else")
        func deadlineAgainstInterceptors() async throws {
            struct Endless: Interceptor {
                func intercept(_ request: HTTPRequest, next: Next) async throws(RequestError) -> HTTPResponse {
                    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in Endless.kept.append(continuation) }
                    return try await next(request)
                }
                static let kept = Kept()
                final class Kept: Sendable {
                    private let all = Lock<[CheckedContinuation<Void, Never>]>([])
                    func append(_ one: CheckedContinuation<Void, Never>) { all.withLock { $0.append(one) } }
                    func resumeAll() { for one in all.withLock({ $0 }) { one.resume() } }
                }
            }
            try await LoopbackServer.with(routes) { server in
                let client = TestClient(interceptors: [Endless()])
                let (_, failure) = await timed(server.call("late", options: .init(deadline: .milliseconds(200))), client)
                guard case .timedOut(let details) = failure else { return #expect(Bool(false)) }
                #expect(details.limit == .deadline)
                Endless.kept.resumeAll()
                #expect(server.requestCount == 0)
            }
        }

        @Test("B43: the request's timeout wins over the session's, both ways")
        func requestWins() async throws {
            try await LoopbackServer.with(routes) { server in
                let patient = TestClient(defaults: .init(timeout: .seconds(60)))
                let (_, failure) = await timed(server.call("silent", options: .init(timeout: .milliseconds(300))), patient)
                guard case .timedOut = failure else { return #expect(Bool(false)) }
                let hasty = TestClient(defaults: .init(timeout: .milliseconds(200)))
                let (_, none) = await timed(server.call("late", options: .init(timeout: .seconds(60))), hasty)
                #expect(none == nil)
            }
        }

        @Test("A connection that nobody accepts times out as connecting")
        func connecting() async throws {
            let listener = try FullListener()
            let call = Call(baseURL: listener.url, options: .init(timeout: .milliseconds(300)))
            let (time, failure) = await timed(call, TestClient())
            guard case .timedOut(let details) = failure else { return #expect(Bool(false), "\(String(describing: failure))") }
            #expect(details.reason.contains("no connection"))
            #expect(time >= .milliseconds(300))
        }

        @Test("A slow reader is not a silent server")
        func slowReader() async throws {
            try await LoopbackServer.with { routes in
                routes.get("/") { _ in .generated(bytes: 8 << 20) }
                routes.get("/late/:milliseconds") { request in
                    .text("late").delayed(by: .milliseconds(Int(request.parameters["milliseconds"] ?? "") ?? 0))
                }
            } perform: { server in
                try await Unhurried.judge { pace in
                    do throws(RequestError) {
                        let call = server.call(options: .init(timeout: .seconds(pace)))
                        let response = try await TestClient().response(for: call).get()
                        var iterator = response.body.makeAsyncIterator()
                        var count = try await iterator.next()?.count ?? 0
                        // Another call takes longer than the timeout, and meanwhile nobody reads.
                        _ = try await TestClient().data(for: server.call("late/\(1500 * pace)")).get()
                        while let chunk = try await iterator.next() { count += chunk.count }
                        return count == 8 << 20
                    } catch {
                        guard case .timedOut = error else { throw error }
                        return false
                    }
                }
            }
        }
    }
}
