import Foundation
import NetworkKit
import NetworkKitTesting
import Testing

@Suite("Cassettes: over a socket")
struct CassetteServerTests {
    private let folder = ScratchFolder()

    @Test("A server is asked once, and then need not be there: redirect, coding, repeated fields, stream")
    func server() async throws {
        let path = folder.path("a.har")
        let calls: [Path] = ["moved", "film/7", "zipped"]
        var known: [Data] = []
        let (base, lines) = try await LoopbackServer.with { routes in
            routes.get("/moved") { _ in .status(302, headers: ["Location": "/film/8"]) }
            routes.get("/film/:id") { .json(#"{"id": \#($0.parameters["id"] ?? "")}"#).adding(["A": "1"]).adding(["A": "2"]) }
            routes.get("/zipped") { _ in .text(String(repeating: "zip ", count: 1000)).gzipped() }
            routes.get("/lines") { _ in .chunks([Data("a\n".utf8), Data("b\n".utf8)]) }
        } perform: { server in
            let client = try Cassette(path: path).client()
            for call in calls { known.append(try await client.data(for: Ask(baseURL: server.baseURL, path: call)).get()) }
            let response = try await client.response(for: Ask(baseURL: server.baseURL, path: "lines")).get()
            return (server.baseURL, try await response.body.reduce(into: Data()) { $0 += $1 })
        }
        let client = try Cassette(path: path).client()
        for (call, data) in zip(calls, known) {
            let reply = try await client.reply(endpoint: Ask(baseURL: base, path: call), responseModel: Data.self).get()
            #expect(reply.value == data)
            if call == "film/7" { #expect(reply.head.headers[values: "A"] == ["1", "2"]) }
        }
        let played = try await client.response(for: Ask(baseURL: base, path: "lines")).get()
        #expect(try await played.body.reduce(into: Data()) { $0 += $1 } == lines)
    }
}
