import Foundation
import NetworkKitTesting
import Testing

@testable import NetworkKit

/// What depends on connections that are really made, broken and silent.
@Suite("Events of a server, over sockets")
struct EventsSocketTests {
    /// A feed that never ends: each connection gets what is behind the last ID that the client names, as much as goes before the
    /// connection breaks, at any byte, by an end or by a reset.
    private static func feed(_ total: Int, _ random: SeededRandom) -> @Sendable (LoopbackRequest) -> LoopbackResponse {
        { request in
            let last = request.headers[.lastEventID].flatMap { Int($0) } ?? 0
            guard last < total else { return .status(204) }
            let text = "retry: 0\n\n" + (1...4).map { "id: \(last + $0)\ndata: event \(last + $0)\n\n" }.joined()
            let number = random.next()
            let answer = LoopbackResponse.data(Data(text.utf8), contentType: "text/event-stream")
            let kept = Int(number % UInt64(text.utf8.count))
            return number >> 32 & 1 == 0 ? answer.cut(afterBodyBytes: kept) : answer.resetting(afterBodyBytes: kept)
        }
    }

    /// Listens until the server says that there is no more; every wait passes as soon as it begins.
    private static func listen(
        _ server: LoopbackServer, _ policy: EventStreamPolicy, each: (ServerSentEvent) async -> Void
    ) async throws(RequestError) {
        let clock = TestClock()
        let session = HTTPSession(transport: CurlTransport(.init(proxy: .none)), clock: clock)
        let driver = Task { while await clock.runToNext() != nil {} }
        defer { driver.cancel() }
        let client = NetworkClient(session: session)
        for try await event in client.events(for: server.call("feed"), policy: policy, random: SeededRandom(seed: 2)) { await each(event) }
    }

    /// How many connections have to be made again, at least.
    private static let reconnects = 1000

    @Test("A thousand connections that are broken off lose no event and repeat none, and none of them stays open")
    func thousandReconnects() async throws {
        let random = SeededRandom(seed: 5)
        var limits = LoopbackServer.Limits()
        limits.recordedRequests = 0
        try await LoopbackServer.with(limits: limits) {
            $0.get("feed", Self.feed(2500, random))
        } perform: { server in
            var ids: [String] = []
            // Some connections in a row bring nothing at all: the first of them counts as never open, and is tried again too.
            try await Self.listen(server, .init(retriesFirstConnection: true)) { event in
                #expect(event.data == "event \(event.id)")
                ids.append(event.id)
            }
            #expect(ids.count >= 2500)
            #expect(ids == (1...max(1, ids.count)).map(String.init))
            #expect(server.requestCount > Self.reconnects)
            await server.waitForOpenConnections(atMost: 1)
        }
    }

    /// Measured in a process of its own, where no other test takes memory or descriptors.
    @Test(
        "A thousand reconnects leave neither memory nor descriptors nor threads behind",
        .disabled(if: Sanitizer.isOn, "a sanitizer keeps what is freed"))
    func growth() async {
        await #expect(processExitsWith: .success) {
            let random = SeededRandom(seed: 7)
            var limits = LoopbackServer.Limits()
            limits.recordedRequests = 0
            try await LoopbackServer.with(limits: limits) {
                $0.get("feed", EventsSocketTests.feed(4000, random))
            } perform: { server in
                struct Size {
                    let requests: Int
                    let memory = ProcessStatus.residentMemory
                    let descriptors = ProcessStatus.openDescriptors
                    let threads = ProcessStatus.threads
                }
                var sizes: [Size] = []
                var count = 0
                try await EventsSocketTests.listen(server, .init(retriesFirstConnection: true)) { _ in
                    count += 1
                    guard count == 1000 || count == 4000 else { return }
                    // What the server hasn't closed yet isn't the client's.
                    await server.waitForOpenConnections(atMost: 1)
                    sizes.append(Size(requests: server.requestCount))
                }
                guard sizes.count == 2 else { return #expect(Bool(false), "\(count) events") }
                print(
                    "\(sizes[1].requests - sizes[0].requests) reconnects: \((sizes[1].memory - sizes[0].memory) >> 10) KiB, "
                        + "\(sizes[1].descriptors - sizes[0].descriptors) descriptors")
                #expect(sizes[1].requests - sizes[0].requests > EventsSocketTests.reconnects)
                #expect(sizes[1].memory - sizes[0].memory <= 2 << 20)
                #expect(sizes[1].descriptors - sizes[0].descriptors <= 2)
                #expect(sizes[1].threads - sizes[0].threads <= 2)
            }
        }
    }

    @Test("A connection that the server holds open and silent counts as dead; the next goes on behind the last event")
    func silence() async throws {
        try await LoopbackServer.with { routes in
            routes.get("feed") { request in
                switch request.headers[.lastEventID] {
                case nil:
                    let text = "retry: 0\nid: 1\ndata: one\n\nid: 2\ndata: half"
                    return .data(Data((text + "\n\n").utf8), contentType: "text/event-stream").stalling(afterBodyBytes: text.utf8.count)
                case "1": return .data(Data("id: 2\ndata: two\n\n".utf8), contentType: "text/event-stream")
                default: return .status(204)
                }
            }
        } perform: { server in
            let start = ContinuousClock.now
            var events: [ServerSentEvent] = []
            try await Self.listen(server, .init(retriesFirstConnection: true, idleTimeout: .milliseconds(200))) { events.append($0) }
            #expect(events.map(\.data) == ["one", "two"])
            // On a machine that stands still this server may be silent for so long on any connection: then it is asked once more.
            let ids = server.requests.map { $0.headers[.lastEventID] }
            #expect(ids.enumerated().filter { $0.offset == 0 || ids[$0.offset - 1] != $0.element }.map(\.element) == [nil, "1", "2"])
            // The silence is timed by the transport, in real time, and never ends early.
            #expect(ContinuousClock.now - start >= .milliseconds(200))
            await server.waitForOpenConnections(atMost: 1)
        }
    }

    @Test("An event of a gigabyte fails early and for good, and its connection is closed")
    func hugeEvent() async throws {
        let sent = Recorder<Int>()
        let line = Data(("data: " + String(repeating: "x", count: 65_529) + "\n").utf8)
        let chunks = AsyncStream<Data> { () -> Data? in
            guard sent.values.count < 1 << 14 else { return nil }
            sent.add(0)
            return line
        }
        try await LoopbackServer.with {
            $0.get("feed") { _ in .stream(chunks, contentType: "text/event-stream") }
        } perform: { server in
            let error = await failure { () async throws(RequestError) in
                try await Self.listen(server, .init(maximumEventSize: 1 << 20)) { _ in Issue.record("an event came") }
            }
            guard case .stream(let details)? = error else { return #expect(Bool(false), "\(String(describing: error))") }
            #expect(details.position == 1)
            #expect(details.reason.contains("1048576"))
            #expect(details.url?.path == "/feed")
            await server.waitUntilIdle()
            #expect(server.requestCount == 1)
            // A megabyte, and what was on its way.
            #expect(sent.values.count < 1 << 10)
        }
    }

    @Test("An endless line fails early, whoever reads it, and its connection is closed")
    func endlessLine() async throws {
        let chunk = Data(repeating: UInt8(ascii: "x"), count: 64 << 10)
        for kind in ["lines", "json", "events"] {
            let sent = Recorder<Int>()
            let chunks = AsyncStream<Data> { () -> Data? in
                sent.add(0)
                return chunk
            }
            try await LoopbackServer.with {
                $0.get("log") { _ in .stream(chunks, contentType: "text/event-stream") }
            } perform: { server in
                let client = TestClient()
                let limit = 1 << 20
                let error = await failure { () async throws(RequestError) in
                    switch kind {
                    case "lines": for try await _ in client.lines(for: server.call("log"), upTo: limit) {}
                    case "json": for try await _ in client.jsonLines(for: server.call("log"), as: Int.self, upTo: limit) {}
                    default: for try await _ in client.events(for: server.call("log"), policy: .init(maximumEventSize: limit)) {}
                    }
                }
                guard case .stream(let details)? = error else { return #expect(Bool(false), "\(kind): \(String(describing: error))") }
                #expect(details.position == 1)
                #expect(details.excerpt == String(repeating: "x", count: 200))
                await server.waitUntilIdle()
                #expect(server.requestCount == 1)
                #expect(sent.values.count < 1 << 10)
            }
        }
    }
}
