import NetworkKit
import NetworkKitTesting
import PlatformBase
import Testing

@Suite("CurlTransport: uploads")
struct CurlTransportUploadTests {
    private let client = TestClient()

    @Test(
        "An answer before the upload ends is the answer, whether the server then reads on, closes or leaves",
        arguments: ["reads", "closes", "keeps"])
    func earlyAnswer(_ manner: String) async throws {
        try await LoopbackServer.with { routes in
            routes.stream(.post, "/reads") { exchange in
                try await exchange.sendHead(413, ["Content-Length": "9"])
                try await exchange.send("too large")
                while try await exchange.readChunk() != nil {}
                try await exchange.finish()
            }
            routes.stream(.post, "/closes") { exchange in
                _ = try await exchange.readChunk()
                try await exchange.sendHead(413, ["Content-Length": "9", "Connection": "close"])
                try await exchange.send("too large")
                try await exchange.finish()
            }
            routes.stream(.post, "/keeps") { exchange in
                _ = try await exchange.readChunk()
                try await exchange.sendHead(413, ["Content-Length": "9"])
                try await exchange.send("too large")
                try await exchange.request.waitForClientToClose()
            }
        } perform: { server in
            let body = RequestBody.data(Data(repeating: 1, count: 20 << 20))
            for _ in 0..<5 {
                let failure = await client.data(for: server.call(Path(manner), .post, body: body)).failure
                guard case .unexpectedStatusCode(let details) = failure else {
                    return #expect(Bool(false), "\(String(describing: failure))")
                }
                #expect(details.response?.head.status == 413)
                #expect(details.response?.text == "too large")
            }
        }
    }
}
