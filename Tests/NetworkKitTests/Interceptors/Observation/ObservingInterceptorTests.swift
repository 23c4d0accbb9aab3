import NetworkKitTesting
import PlatformBase
import Testing

@testable import NetworkKit

@Suite("Observing")
struct ObservingInterceptorTests {
    private struct Listener: RequestObserver {
        let events: Recorder<RequestEvent>
        func observe(_ event: RequestEvent) throws {
            events.add(event)
            // The caller isn't to notice.
            throw CancellationError()
        }
    }

    private let events = Recorder<RequestEvent>()

    private var names: [String] {
        events.values.map { event in
            let name =
                switch event.subject {
                case .call: "call"
                case .attempt: "attempt"
                case .phase(let phase): phase.rawValue
                @unknown default: "?"
                }
            return (event.edge == .began ? "+" : "-") + name
        }
    }

    @Test("Over the wire a call, its attempts and their phases come in pairs, with the model behind them")
    func overTheWire() async throws {
        try await LoopbackServer.with { routes in
            routes.get("/a") { _ in .status(302, headers: ["Location": "/b"]) }
            routes.get("/b") { _ in .json(#"{"id":1}"#) }
        } perform: { server in
            let observing: ObservingInterceptor = .observing(Listener(events: events))
            let client = TestClient(interceptors: [observing])
            let item = await client.sendRequest(endpoint: server.call("a", query: ["k": .secret("hunter22")]), responseModel: Item.self)
            #expect(try item.get() == Item(id: 1))
            await observing.flush()
            let names = names
            #expect(names.first == "+call" && names.suffix(3) == ["-call", "+decode", "-decode"])
            #expect(names.filter { $0 == "+attempt" }.count == 2 && names.filter { $0 == "-wait" }.count == 2)
            for name in Set(names.map { $0.dropFirst() }) {
                #expect(names.filter { $0 == "+\(name)" }.count == names.filter { $0 == "-\(name)" }.count)
            }
            #expect(events.values.map(\.time) == events.values.map(\.time).sorted())
            #expect(Set(events.values.map(\.callID)).count == 1)
            let began = try #require(events.values.first { $0.subject == .attempt })
            #expect(began.attributes["url.full"] == .string("\(server.url("/a"))?k=***"))
            #expect(events.values.last { $0.subject == .attempt }?.attributes["http.response.status_code"] == .int(200))
        }
    }

    @Test("A call that fails ends with the reason, masked")
    func failure() async {
        let observing: ObservingInterceptor = .observing(Listener(events: events))
        let transport = StubTransport { _ throws(RequestError) in
            throw .connection(.init(.init(kind: .reset), reason: "hunter22 was sent"))
        }
        let client = NetworkClient(session: HTTPSession(transport: transport, interceptors: [observing]))
        _ = await client.data(for: SampleEndpoint(headers: ["X-Key": .secret("hunter22")]))
        await observing.flush()
        #expect(names == ["+call", "+attempt", "-attempt", "-call"])
        #expect(events.values.suffix(2).map(\.error) == Array(repeating: "connection (reset): *** was sent", count: 2))
        #expect(events.values.last?.attributes["error.type"] == .string("connection.reset"))
    }

    @Test("An observer that blocks holds up no request")
    func blocked() async throws {
        struct Blocked: RequestObserver {
            let gate: NetworkKit.Semaphore
            func observe(_ event: RequestEvent) { if event.subject == .call, event.edge == .began { gate.wait() } }
        }
        let gate = NetworkKit.Semaphore()
        try await LoopbackServer.with { routes in
            routes.fallback { _ in .text("ok") }
        } perform: { server in
            let observing: ObservingInterceptor = .observing(Blocked(gate: gate))
            let client = TestClient(interceptors: [observing])
            for _ in 0..<3 { _ = try await client.text(server.call()) }
            for _ in 0..<3 { gate.signal() }
            await observing.flush()
        }
    }
}
