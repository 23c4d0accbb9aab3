#if URLSession
import Foundation
import FoundationNetworking
import NetworkKitTesting
import PlatformBase
import Testing

@testable import NetworkKit

extension OneAtATime {
    @Suite("URLSessionTransport: one sending of a request")
    struct URLSessionJobTests {
        private let link = URLSessionLink(.init(), trust: ServerTrust())

        @Test("A body's source that calls back when it is cancelled holds nobody up", .timeLimit(.minutes(1)))
        func sourceCallsBack() async throws {
            let (isRead, goesOn, isCancelled) = (OneShot<Void>(), OneShot<Void>(), OneShot<Void>())
            let back = Lock<(@Sendable () -> Void)?>(nil)
            let stream = AsyncStream<Data> {
                isRead.resolve(())
                await goesOn.value()
                return nil
            } onCancel: {
                // As a source may that lets go of the answer when nobody wants its own bytes any more.
                back.withLock { $0 }?()
                isCancelled.resolve(())
                goesOn.resolve(())
            }
            let request = HTTPRequest(url: url("http://127.0.0.1:9/"), method: .post, body: .stream(stream))
            let job = URLSessionJob(request, link)
            let transfer = try Transfer(request, driver: job)
            back.withLock {
                $0 = {
                    job.readerChanged(transfer)
                    job.discard(transfer)
                }
            }
            async let ended = failure { () async throws(RequestError) in try await transfer.start() }
            await isRead.value()
            transfer.fail(.cancelled)
            await isCancelled.value()
            #expect(await ended?.isCancellation == true)
            back.withLock { $0 = nil }
        }

        @Test("What is to be done behind the platform's end is done for a request that ends, and for one that is given up")
        func afterEnd() async throws {
            try await LoopbackServer.with { routes in
                routes.get("/silent") { _ in .stalled }
                routes.get("/whole") { _ in .text("whole") }
            } perform: { server in
                for path in ["/silent", "/whole"] {
                    let request = HTTPRequest(url: server.url(path))
                    let job = URLSessionJob(request, link)
                    let transfer = try Transfer(request, driver: job)
                    let isDone = OneShot<Void>()
                    let isBegun = job.begin(URLRequest(request), afterEnd: { isDone.resolve(()) })
                    #expect(isBegun)
                    if path == "/silent" {
                        await server.waitForRequests(1)
                        // The platform isn't through with what it hasn't been told to give up.
                        #expect(isDone.known == nil)
                        job.discard(transfer)
                    }
                    await isDone.value()
                }
            }
        }

        @Test("A request that is over isn't begun any more")
        func overBefore() throws {
            let request = HTTPRequest(url: url("http://127.0.0.1:9/"))
            let job = URLSessionJob(request, link)
            job.discard(try Transfer(request, driver: job))
            let isBegun = job.begin(URLRequest(request), afterEnd: { Issue.record("it never began") })
            #expect(!isBegun)
        }

        @Test("A second part of multipart/x-mixed-replace ends the request, and says what it was")
        func mixedReplace() async throws {
            try await LoopbackServer.with { routes in
                routes.get("/") { _ in .stalled }
            } perform: { server in
                let request = HTTPRequest(url: server.baseURL)
                let job = URLSessionJob(request, link)
                let transfer = try Transfer(request, driver: job)
                async let head = transfer.start()
                await server.waitForRequests(1)
                let fields = ["Content-Type": "multipart/x-mixed-replace; boundary=frame"]
                let part = try #require(
                    HTTPURLResponse(url: server.baseURL, statusCode: 200, httpVersion: "HTTP/1.1", headerFields: fields))
                job.received(part)
                #expect(try await head.head.status == 200)
                job.received(Data("first".utf8))
                job.received(part)
                let ended = await failure { () async throws(RequestError) in
                    while try await transfer.next(isolation: nil) != nil {}
                }
                guard case .connection(let details) = ended else { return #expect(Bool(false), "\(String(describing: ended))") }
                #expect(details.reason.contains("multipart/x-mixed-replace"))
            }
        }

        @Test("Who takes no more of a body before the answer has failed the request; after it, the answer stands")
        func bodyRefused() async throws {
            try await LoopbackServer.with { routes in
                routes.get("/") { _ in .stalled }
            } perform: { server in
                for isAnswered in [false, true] {
                    let request = HTTPRequest(url: server.baseURL)
                    let job = URLSessionJob(request, link)
                    let transfer = try Transfer(request, driver: job)
                    let ended = Task { () async -> RequestError? in
                        do throws(RequestError) { _ = try await transfer.start() } catch { return error }
                        return nil
                    }
                    await server.waitForRequests(isAnswered ? 2 : 1)
                    if isAnswered {
                        let response = HTTPURLResponse(url: server.baseURL, statusCode: 413, httpVersion: "HTTP/1.1", headerFields: [:])
                        job.received(try #require(response))
                    }
                    job.bodyRefused(POSIXError(.EPIPE))
                    let failure = await ended.value
                    #expect(failure?.connectionKind == (isAnswered ? nil : .reset))
                    #expect(transfer.isOver != isAnswered)
                    transfer.end()
                }
            }
        }

        // MARK: Places

        @Test("A request beyond the connections waits, says so, isn't timed out meanwhile, and its wait is among its figures")
        func queued() async throws {
            let gate = LoopbackGate()
            try await LoopbackServer.with { routes in
                routes.get("/") { _ in
                    await gate.wait()
                    return .text("done")
                }
            } perform: { server in
                let clock = TestClock()
                let transport = URLSessionTransport(clock: clock, connectionsPerHost: 1)
                let isQueued = OneShot<Void>()
                let said = Recorder<String>()
                let first = Task {
                    try await transport.send(HTTPRequest(url: server.baseURL, options: .init(timeout: .seconds(100))))
                }
                await server.waitForRequests(1)
                var request = HTTPRequest(url: server.baseURL, options: .init(timeout: .seconds(5)))
                request.context.events = { event in
                    switch event {
                    case .queued:
                        said.add("queued")
                        isQueued.resolve(())
                    case .started: said.add("started")
                    case .head: said.add("head")
                    default: break
                    }
                }
                let second = Task { [request] in try await transport.send(request) }
                await isQueued.value()
                // Longer than its timeout, which is the server's.
                clock.advance(by: .seconds(20))
                #expect(server.requestCount == 1)
                gate.open()
                #expect(try await first.value.body.collect(upTo: 10) == Data("done".utf8))
                let response = try await second.value
                #expect(try await response.body.collect(upTo: 10) == Data("done".utf8))
                #expect(said.values == ["queued", "started", "head"])
                #expect(response.body.metrics?.queue == .seconds(20))
                #expect(try await first.value.body.metrics?.queue == nil)
            }
        }

        @Test("A request that is given up while it waits leaves the queue, and the next gets the place")
        func leavesQueue() async throws {
            let gate = LoopbackGate()
            try await LoopbackServer.with { routes in
                routes.get("/") { _ in
                    await gate.wait()
                    return .text("done")
                }
            } perform: { server in
                let transport = URLSessionTransport(clock: ContinuousClock(), connectionsPerHost: 1)
                @Sendable func send(_ isQueued: OneShot<Void>) async -> Data? {
                    var request = HTTPRequest(url: server.baseURL)
                    request.context.events = { if case .queued = $0 { isQueued.resolve(()) } }
                    return try? await transport.send(request).body.collect(upTo: 10)
                }
                let first = Task { await send(OneShot()) }
                await server.waitForRequests(1)
                var waiting: [Task<Data?, Never>] = []
                for _ in 0..<200 {
                    let isQueued = OneShot<Void>()
                    waiting.append(Task { await send(isQueued) })
                    await isQueued.value()
                }
                for task in waiting.dropLast() { task.cancel() }
                for task in waiting.dropLast() { #expect(await task.value == nil) }
                gate.open()
                #expect(await first.value == Data("done".utf8))
                #expect(await waiting.last?.value == Data("done".utf8))
                #expect(server.requestCount == 2)
            }
        }
    }
}
#endif
