import NetworkKitTesting
import PlatformBase
import Testing

@testable import NetworkKit

#if canImport(CCurl)
@Suite("The cache and a real server")
struct CacheLoopbackTests {
    @Test("Vary: Accept-Encoding with a coded body hits the second time, decoded")
    func transparentCoding() async throws {
        let page = String(repeating: "page ", count: 200)
        let server = try await LoopbackServer.start { routes in
            routes.get("/") { _ in .text(page, headers: ["Cache-Control": "max-age=60", "Vary": "Accept-Encoding"]).gzipped() }
        }
        let client = TestClient(interceptors: [.cache(HTTPCache())])
        for use in [RequestMetrics.CacheUse.miss, .hit] {
            let reply = try await client.reply(endpoint: server.call(), responseModel: String.self).get()
            #expect(reply.value == page && reply.metrics.cache == use)
        }
        #expect(server.requests.count == 1)
        await server.stop()
    }

    @Test("A body that is cut short isn't stored")
    func truncated() async throws {
        let server = try await LoopbackServer.start { routes in
            routes.get("/") { request in
                let whole = LoopbackResponse.text("0123456789", headers: ["Cache-Control": "max-age=60"])
                return request.number == 1 ? whole.cut(afterBodyBytes: 5) : whole
            }
        }
        let client = TestClient(interceptors: [.cache(HTTPCache())])
        #expect(await client.data(for: server.call()).failure != nil)
        #expect(try await client.text(server.call()) == "0123456789")
        #expect(try await client.text(server.call()) == "0123456789")
        #expect(server.requests.count == 2)
        await server.stop()
    }
}
#endif
