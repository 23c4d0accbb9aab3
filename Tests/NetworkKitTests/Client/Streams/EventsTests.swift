import Foundation
import NetworkKitTesting
import Testing

@testable import NetworkKit

/// The behaviours that are collected in `http-behaviour.json`, by their ids, and what goes beyond them.
@Suite("Events of a server, over one connection after the other")
struct EventsTests {
    private let clock = TestClock()

    private static func stream(_ chunks: String..., type: String? = "text/event-stream") -> StubAnswer {
        .chunks(chunks, contentType: type)
    }
    private static let end = StubAnswer.status(204)

    private func client(_ stub: StubTransport, _ interceptors: [any Interceptor] = []) -> NetworkClient {
        NetworkClient(session: HTTPSession(transport: stub, interceptors: interceptors, clock: clock))
    }

    private static let exact = EventStreamPolicy(jitter: 0)

    /// All events of a stream whose waits pass as soon as they begin, what was waited for, and how it ended.
    private func all(
        _ stub: StubTransport, _ endpoint: SampleEndpoint = SampleEndpoint(), policy: EventStreamPolicy = exact, after id: String = ""
    ) async -> (events: [ServerSentEvent], waits: [Duration], error: RequestError?) {
        let events = client(stub).events(for: endpoint, policy: policy, after: id, random: SeededRandom(seed: 1))
        let waits = Recorder<Duration>()
        let driver = Task { [clock] in
            while let wait = await clock.runToNext() { waits.add(wait) }
        }
        var result: [ServerSentEvent] = []
        var failure: RequestError?
        do throws(RequestError) {
            for try await event in events { result.append(event) }
        } catch {
            failure = error
        }
        // Whoever was woken may be done before the driver has noted by what wait.
        driver.cancel()
        await driver.value
        return (result, waits.values, failure)
    }

    private static func event(_ data: String, id: String = "") -> ServerSentEvent { ServerSentEvent(data: data, id: id) }

    // MARK: The collected behaviours

    @Test("accept-header: what is asked for is an event stream, from no cache; the endpoint's own fields win")
    func accept() async {
        let stub = StubTransport(Self.end)
        _ = await all(stub)
        _ = await all(stub, SampleEndpoint(headers: ["Accept": "a/b", "Cache-Control": "no-cache", "Last-Event-ID": "7"]))
        let headers = stub.requests.map(\.headers)
        #expect(headers.map { $0[.accept] } == ["text/event-stream", "a/b"])
        #expect(headers.map { $0[.cacheControl] } == ["no-store", "no-cache"])
        #expect(headers.map { $0[.lastEventID] } == [nil, "7"])
        #expect(stub.requests.allSatisfy { $0.options.cachePolicy == .noStore })
    }

    @Test("mime-params: parameters don't matter, and the text is UTF-8 all the same")
    func parameters() async {
        for type in ["text/event-stream; charset=windows-1252", "text/event-stream;foo=bar", "text/event-stream;"] {
            #expect(await all(StubTransport(Self.stream("data: é\n\n", type: type), Self.end)).events == [Self.event("é")])
        }
    }

    @Test("mime-wrong: another type fails for good", arguments: ["text/plain", "text/x-bogus", "text/html", nil])
    func otherType(_ type: String?) async {
        let stub = StubTransport(Self.stream("data: x\n\n", type: type))
        let outcome = await all(stub)
        guard case .stream(let details)? = outcome.error else { return #expect(Bool(false), "\(String(describing: outcome.error))") }
        #expect(details.url?.host == "api.example.com")
        #expect(outcome.events.isEmpty && outcome.waits.isEmpty)
        #expect(stub.requests.count == 1)
    }

    @Test("status-204: no more events, and no further request")
    func noContent() async {
        let stub = StubTransport(Self.end)
        let outcome = await all(stub)
        #expect(outcome.error == nil && outcome.events.isEmpty)
        #expect(stub.requests.count == 1)
    }

    @Test("status-error: fails for good", arguments: [205, 210, 299, 301, 307, 401, 404, 410, 503])
    func status(_ status: Int) async {
        let stub = StubTransport(.text("why", status: HTTPStatus(status), headers: [.contentType: "text/event-stream"]))
        let outcome = await all(stub)
        #expect(outcome.error?.statusCode?.code == status)
        #expect(outcome.waits.isEmpty)
        #expect(stub.requests.count == 1)
        // Also when the stream has been open.
        let later = StubTransport(Self.stream("data: a\n\n"), .status(HTTPStatus(status)), then: .repeatsLast)
        #expect(await all(later).error?.statusCode?.code == status)
        #expect(later.requests.count == 2)
    }

    @Test("redirect: followed, with Last-Event-ID", arguments: [301, 302, 303, 307, 308])
    func redirect(_ status: Int) async {
        let stub = StubTransport {
            $0.get("a", .redirect(to: "/b", status: HTTPStatus(status)))
            $0.get("b", Self.stream("id: 1\ndata: x\n\n"), Self.end)
        }
        let outcome = await all(stub, SampleEndpoint(path: "a"))
        #expect(outcome.events == [Self.event("x", id: "1")])
        #expect(stub.requests.map(\.url.path) == ["/a", "/b", "/a", "/b"])
        #expect(stub.requests.map { $0.headers[.lastEventID] } == [nil, nil, "1", "1"])
    }

    @Test("redirect-no-location: an error, and no loop", arguments: [301, 307])
    func noLocation(_ status: Int) async {
        for location in [nil, ""] as [String?] {
            let stub = StubTransport(.status(HTTPStatus(status), headers: location.map { [.location: $0] } ?? [:]))
            #expect(await all(stub).error != nil)
            #expect(stub.requests.count <= 21)
        }
    }

    @Test("reconnect-last-id: the last ID goes along, byte for byte, and an empty one doesn't")
    func lastID() async {
        let stub = StubTransport(
            Self.stream("id: 1\ndata: a\n\n"), Self.stream("data: b\n\nid: ü…\ndata: c\n\n"), Self.stream("id:\ndata: d\n\n"), Self.end)
        let outcome = await all(stub)
        #expect(outcome.events.map(\.id) == ["1", "1", "ü…", ""])
        #expect(stub.requests.map { $0.headers[.lastEventID] } == [nil, "1", "ü…", nil])
    }

    @Test("An ID that can't stand in a field isn't told, and ends nothing")
    func oddID() async {
        let stub = StubTransport(Self.stream("id: a\u{1}b\ndata: a\n\n"), Self.stream("id: 2\ndata: b\n\n"), Self.end)
        let outcome = await all(stub)
        #expect(outcome.events.map(\.id) == ["a\u{1}b", "2"] && outcome.error == nil)
        #expect(stub.requests.map { $0.headers[.lastEventID] } == [nil, nil, "2"])
    }

    @Test("reconnect-discards-partial: only whole events, and no ID of half of one")
    func partial() async {
        let stub = StubTransport(Self.stream("id: 1\n\nid: 2\ndata: half\n"), Self.stream("data: whole\n\n"), Self.end)
        #expect(await all(stub).events == [Self.event("whole", id: "1")])
        #expect(stub.requests.map { $0.headers[.lastEventID] } == [nil, "1", "1"])
    }

    @Test("reconnect-uses-retry: the wait is the server's, kept until it says another, and never shorter")
    func retry() async {
        let stub = StubTransport(
            Self.stream("data: a\n\n"), Self.stream("retry: 300\n\n"), Self.stream("data: b\n\n"), Self.stream("retry: 0\ndata: c\n\n"),
            Self.end)
        #expect(await all(stub).waits == [.seconds(3), .milliseconds(300), .milliseconds(300)])
        let jittered = StubTransport(Self.stream("retry: 300\n\n"), Self.end)
        let wait = await all(jittered, policy: .standard).waits.first ?? .zero
        #expect(wait > .milliseconds(300) && wait <= .milliseconds(450))
    }

    @Test(
        "buffers-reset: what a connection leaves unfinished doesn't reach into the next", arguments: ["\u{FEFF}", "data: €", "\r", "data:"])
    func reset(_ rest: String) async {
        let bytes = Data(rest.utf8)
        for count in 1...bytes.count {
            let stub = StubTransport(
                .chunks([Data("data: a\n\n".utf8), bytes.prefix(count)], contentType: "text/event-stream"),
                Self.stream("\u{FEFF}\ndata: b\n\n"), Self.end)
            #expect(await all(stub).events == [Self.event("a"), Self.event("b")])
        }
    }

    @Test("no-idle-timeout: a stream may be silent for as long as it likes, unless the caller says how long")
    func idle() async {
        let answer = Self.stream("data: a\n\n", ": ping\n\n", "data: b\n\n").pausing(.seconds(1000))
        let open = await all(StubTransport(answer, Self.end), SampleEndpoint(options: .init(timeout: .seconds(1))))
        #expect(open.events == [Self.event("a"), Self.event("b")])
        #expect(open.waits == [.seconds(1000), .seconds(1000), .seconds(3)])
        let dead = StubTransport(answer, Self.stream("data: c\n\n"), Self.end)
        let closed = await all(dead, policy: .init(jitter: 0, idleTimeout: .seconds(60)))
        #expect(closed.events == [Self.event("a"), Self.event("c")])
        #expect(closed.waits == [.seconds(60), .seconds(3), .seconds(3)])
        // The head is waited for no longer than for any other.
        let silent = await all(StubTransport(Self.end.delayed(by: .seconds(40))))
        guard case .timedOut? = silent.error else { return #expect(Bool(false), "\(String(describing: silent.error))") }
        #expect(silent.waits == [.seconds(30)])
    }

    @Test("cancel: ends a read and a wait at once, and nothing is asked any more")
    func cancel() async {
        for isWait in [false, true] {
            let answer = isWait ? Self.stream("data: a\n\n") : Self.stream("data: a\n\n", "data: b\n\n").pausing(.seconds(3))
            let stub = StubTransport(answer)
            let events = client(stub).events(for: SampleEndpoint(), policy: Self.exact)
            let task = Task { () -> RequestError? in
                do throws(RequestError) {
                    for try await _ in events {}
                    return nil
                } catch {
                    return error
                }
            }
            await clock.sleepers([.seconds(3)])
            task.cancel()
            #expect(await task.value?.isCancellation == true)
            await clock.sleepers([])
            #expect(stub.requests.count == 1)
        }
    }

    @Test("cancel, no-buffering: over a socket an event is there at once, and cancelling closes the connection")
    func socket() async throws {
        let sent = "id: 1\ndata: one\n\nid: 2\ndata: tw"
        try await LoopbackServer.with { routes in
            routes.get("/feed") { _ in
                .data(Data((sent + "o\n\n").utf8), contentType: "text/event-stream").stalling(afterBodyBytes: sent.utf8.count)
            }
        } perform: { server in
            let seen = Recorder<ServerSentEvent>()
            let (arrivals, arrived) = AsyncStream.makeStream(of: Void.self)
            let events = TestClient().events(for: server.call("/feed"))
            let task = Task {
                for try await event in events {
                    seen.add(event)
                    arrived.yield()
                }
            }
            for await _ in arrivals { break }
            #expect(seen.values == [Self.event("one", id: "1")])
            task.cancel()
            await #expect(throws: RequestError.self) { try await task.value }
            await server.waitUntilIdle()
            #expect(server.requests.count == 1)
        }
    }

    // MARK: Beyond them

    @Test("A connection that breaks is made again, and the broken event is not seen")
    func brokenOff() async {
        let stub = StubTransport(
            Self.stream("id: 1\ndata: a\n\ndata: b").resetting(afterBodyBytes: 20), .connection(.refused), .connection(.nameLookup),
            Self.stream("data: c\n\n"), Self.end)
        let outcome = await all(stub)
        #expect(outcome.events == [Self.event("a", id: "1"), Self.event("c", id: "1")])
        #expect(outcome.waits == [.seconds(3), .seconds(6), .seconds(12), .seconds(3)])
        #expect(stub.requests.map { $0.headers[.lastEventID] } == [nil, "1", "1", "1", "1"])
    }

    @Test("A stream that was never open fails with what was wrong")
    func neverOpen() async {
        let stub = StubTransport(.connection(.nameLookup))
        guard case .connection(let details)? = await all(stub).error else { return #expect(Bool(false)) }
        #expect(details.kind == .nameLookup)
        #expect(stub.requests.count == 1)
        let patient = StubTransport(.connection(.refused), Self.stream("data: a\n\n"), Self.end)
        #expect(await all(patient, policy: .init(retriesFirstConnection: true)).events == [Self.event("a")])
    }

    @Test("A POST is sent once: the end of its answer is the end of the events")
    func post() async {
        let endpoint = SampleEndpoint(method: .post, body: .json(["prompt": "hello"]))
        let whole = StubTransport(Self.stream("data: a\n\ndata: [DONE]\n\n"))
        let outcome = await all(whole, endpoint)
        #expect(outcome.events.map(\.data) == ["a", "[DONE]"])
        #expect(outcome.error == nil && whole.requests.count == 1)
        let broken = StubTransport(Self.stream("data: a\n\ndata: b\n\n").cut(afterBodyBytes: 10))
        guard case .connection? = await all(broken, endpoint).error else { return #expect(Bool(false)) }
        #expect(broken.requests.count == 1)
    }

    @Test("The endpoint is asked anew for each connection, and its secrets stay where the first one went")
    func secrets() async {
        final class Counter: Sendable {
            let number = Recorder<Int>()
            func next() -> Int {
                number.add(0)
                return number.values.count
            }
        }
        struct Moving: Endpoint {
            let counter: Counter
            var baseURL: URL { url(counter.number.values.count < 2 ? "https://a.test" : "https://b.test") }
            var path: Path { "" }
            var headers: HTTPFields { ["Authorization": "Bearer \(counter.next())", "X": "y"] }
        }
        let stub = StubTransport(Self.stream("data: a\n\n"), Self.stream("data: b\n\n"), Self.end)
        let events = client(stub).events(for: Moving(counter: Counter()), policy: .init(delay: .zero, jitter: 0))
        await #expect(throws: Never.self) { for try await _ in events {} }
        #expect(stub.requests.map(\.url.host) == ["a.test", "b.test", "b.test"])
        #expect(stub.requests.first?.headers[.authorization] != nil)
        #expect(stub.requests.dropFirst().allSatisfy { $0.headers[.authorization] == nil && $0.headers["X"] == "y" })
    }

    @Test("A deadline bounds all connections together")
    func deadline() async {
        let stub = StubTransport(Self.stream("data: a\n\n"))
        let endpoint = SampleEndpoint(options: .init(deadline: .seconds(7)))
        let events = client(stub).events(for: endpoint, policy: Self.exact)
        let task = Task { () -> (Int, RequestError?) in
            var count = 0
            do throws(RequestError) {
                for try await _ in events { count += 1 }
                return (count, nil)
            } catch {
                return (count, error)
            }
        }
        for _ in 0..<2 { await clock.advance(through: .seconds(3)) }
        // The deadline's timer, and the wait that it cuts short.
        await clock.sleepers([.seconds(1), .seconds(1)])
        clock.advance(by: .seconds(1))
        let (count, error) = await task.value
        #expect(count == 3)
        guard case .timedOut(let details)? = error else { return #expect(Bool(false), "\(String(describing: error))") }
        #expect(details.limit == .deadline)
        #expect(clock.elapsed == .seconds(7))
    }

    @Test("An event of a gigabyte ends the stream for good, when it passes the limit")
    func hugeEvent() async {
        let line = Data(("data: " + String(repeating: "x", count: 4090) + "\n").utf8)
        let chunks = AsyncStream<Data> { line }
        let stub = StubTransport(.stream(chunks, contentType: "text/event-stream"))
        let outcome = await all(stub, policy: .init(maximumEventSize: 1 << 20))
        guard case .stream(let details)? = outcome.error else { return #expect(Bool(false), "\(String(describing: outcome.error))") }
        #expect(details.position == 1)
        #expect(stub.requests.count == 1)
    }

    @Test("A thousand reconnects lose no event and repeat none")
    func thousandReconnects() async {
        // As a server does: what is behind the last ID, as much as goes before the connection breaks, anywhere.
        let random = SeededRandom(seed: 11)
        let stub = StubTransport { routes in
            routes.get("feed") { request in
                let last = request.headers[.lastEventID].flatMap { Int($0) } ?? 0
                guard last < 3000 else { return .status(204) }
                let text = "retry: 5\n\n" + (1...4).map { "id: \(last + $0)\ndata: event \(last + $0)\n\n" }.joined()
                let kept = 10 + Int(random.next() % UInt64(text.utf8.count - 10))
                return StubAnswer.data(Data(text.utf8), contentType: "text/event-stream").resetting(afterBodyBytes: kept)
            }
        }
        let outcome = await all(stub, SampleEndpoint(path: "feed"))
        #expect(outcome.error == nil)
        #expect(outcome.events.count >= 3000)
        #expect(outcome.events.map(\.id) == (1...max(1, outcome.events.count)).map(String.init))
        #expect(stub.requests.count > 1000)
    }

    @Test("Data is decoded; data that isn't the model ends the sequence")
    func decoded() async throws {
        struct Price: Codable, Sendable, Equatable { var value: Int }
        let stub = StubTransport(Self.stream("data: {\"value\":\ndata: 1}\n\ndata: {\"value\":\"x\"}\n\ndata: {\"value\":3}\n\n"))
        var prices = client(stub).events(for: SampleEndpoint(path: "p"), as: Price.self).makeAsyncIterator()
        #expect(try await prices.next() == Price(value: 1))
        let error = await #expect(throws: RequestError.self) { try await prices.next() }
        guard case .decode(let details)? = error else { return #expect(Bool(false), "\(String(describing: error))") }
        #expect(details.codingPath == "value")
        #expect(details.excerpt.contains("\"x\""))
        #expect(details.url?.path == "/p")
        #expect(try await prices.next() == nil)
        #expect(try ServerSentEvent(data: "text").decoded(as: String.self) == "text")
    }
}
