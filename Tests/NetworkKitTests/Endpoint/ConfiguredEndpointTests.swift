import NetworkKitTesting
import PlatformBase
import Testing

@testable import NetworkKit

@Suite("Endpoints made otherwise for once")
struct ConfiguredEndpointTests {
    private struct Numbers: Decodable, Sendable { var values: [Int] }

    private struct Count: NumberedPageEndpoint, Equatable {
        typealias Response = Numbers
        var page = 1
        let baseURL = url("https://a.test/v1")
        var path: Path { "numbers" }
        var method: any RequestMethod { .post }
        var query: Query { ["page": page] }
        var headers: HTTPFields { ["X-Kind": "odd"] }
        var body: RequestBody? { .form(["n": page]) }
        var options: RequestOptions { .init(timeout: .seconds(3), name: "count") }
        var decoder: (any ResponseDecoder)? { JSONDecoder() }
        func pageCount(_ page: Numbers) -> Int? { 2 }
    }

    private struct Linked: LinkedPageEndpoint {
        typealias Response = [Int]
        var pageURL: URL?
        let baseURL = url("https://a.test")
        var path: Path { "list" }
    }

    @Test("Options and base are the new ones, and all else is the endpoint's")
    func all() throws {
        let endpoint = Count(page: 4).with(baseURL: url("http://b.test:8080/x")) { $0.cachePolicy = .reload }
        let request = try HTTPRequest(endpoint)
        #expect(request.url.absoluteString == "http://b.test:8080/x/numbers?page=4")
        #expect(request.method == .post && request.headers["X-Kind"] == "odd" && request.body?.length == 3)
        #expect(request.options == RequestOptions(timeout: .seconds(3), cachePolicy: .reload, name: "count"))
        #expect(endpoint.decoder != nil)
        #expect(try HTTPRequest(Count().with()).url == HTTPRequest(Count()).url)
    }

    @Test("Its model is the endpoint's, and its pages are asked for in the same way")
    func pages() async throws {
        let stub = StubTransport { $0.post("x/numbers") { .json(#"{"values": [\#($0.query("page") ?? "0")]}"#) } }
        let client = NetworkClient(session: HTTPSession(transport: stub))
        let endpoint = Count().with(baseURL: url("https://b.test/x")) { $0.maximumBodySize = 100 }
        #expect(try await client.send(endpoint).get().values == [1])
        var values: [Int] = []
        for try await page in client.pages(endpoint) { values += page.values }
        #expect(values == [1, 2])
        #expect(stub.requests.count == 3 && stub.requests.allSatisfy { $0.request.options.maximumBodySize == 100 })
    }

    @Test("Pages that link to the next are followed")
    func links() async throws {
        let stub = StubTransport {
            $0.get("list", .json("[1]", headers: ["Link": "</more>; rel=next"]))
            $0.get("more", .json("[2]"))
        }
        let client = NetworkClient(session: HTTPSession(transport: stub))
        var values: [Int] = []
        for try await page in client.pages(Linked().with { $0.timeout = .seconds(1) }) { values += page }
        #expect(values == [1, 2])
        #expect(stub.requests.count == 2 && stub.requests.allSatisfy { $0.request.options.timeout == .seconds(1) })
    }

    @Test("A mock answers it as the endpoint, and lists it as that")
    func mock() async throws {
        let mock = HTTPClientMock {
            $0.answer(SampleModelEndpoint(id: 2), with: .success(7))
            $0.answer(SampleModelEndpoint.self) { $0.id }
        }
        let once = SampleModelEndpoint(id: 2).with { $0.name = "once" }
        #expect(try await mock.send(once).get() == 7)
        #expect(try await mock.send(SampleModelEndpoint(id: 3).with(baseURL: url("https://b.test")).with { $0.name = "three" }).get() == 3)
        #expect(mock.calls(of: SampleModelEndpoint.self).map(\.id) == [2, 3])
    }

    private struct SampleModelEndpoint: ResponseEndpoint, Equatable {
        typealias Response = Int
        var id: Int
        let baseURL = url("https://a.test")
        var path: Path { "n/\(id)" }
    }

    @Test("A deadline that is none lets a call take as long as it takes")
    func unlimited() async throws {
        let clock = TestClock()
        let stub = StubTransport(.json("1").delayed(by: .seconds(86_400)))
        let client = NetworkClient(session: HTTPSession(transport: stub, clock: clock))
        let endpoint = SampleModelEndpoint(id: 1).with {
            $0.timeout = .seconds(100_000)
            $0.deadline = RequestOptions.unlimited
        }
        async let number = client.send(endpoint)
        await clock.advance(through: .seconds(86_400))
        #expect(try await number.get() == 1)
    }
}
