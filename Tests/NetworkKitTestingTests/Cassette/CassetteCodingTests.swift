import Foundation
import NetworkKit
import NetworkKitTesting
import Testing

@Suite("Cassettes: coded bodies")
struct CassetteCodingTests {
    private let folder = ScratchFolder()
    private let text = String(repeating: #"{"password": "pa55word-1", "note": "hunter22"} "#, count: 40)

    private func ask(_ text: String? = nil) -> Ask {
        Ask(method: HTTPMethod.post, body: .data(Data((text ?? self.text).utf8), contentType: "application/x-ndjson").hiding("hunter22"))
    }

    @Test("A compressed request is kept as it was before, secrets masked, and found again, compressed or not")
    func compressed() async throws {
        let server = StubTransport(.text("ok"))
        let path = folder.path("gzip.har")
        let recording = try Cassette(path: path, transport: server)
        _ = try await recording.client([.requestCompression()]).data(for: ask()).get()
        // The server gets what was sent.
        #expect(server.requests.first?.body.starts(with: [0x1F, 0x8B]) == true)
        let entry = try #require(try recording.archive.entries.first)
        let masked = text.replacing("pa55word-1", with: "***").replacing("hunter22", with: "***")
        #expect(entry.request.postData?.encoding == nil && entry.request.postData?.text == masked)
        #expect(HTTPFields(entry.request.headers)[.contentEncoding] == "gzip")
        let file = try String(contentsOf: URL(filePath: path), encoding: .utf8)
        #expect(!file.contains("pa55word") && !file.contains("hunter22"))
        for interceptors in [[.requestCompression()], []] as [[any Interceptor]] {
            let playing = try Cassette(path: path, mode: .none)
            #expect(await playing.client(interceptors).data(for: ask(text + "{}")).error != nil)
            #expect(await playing.client(interceptors).data(for: ask()).error == nil)
        }
    }

    @Test("Of a body that can't be decoded nothing is kept, and the recording says so", arguments: ["br", "gzip"])
    func unknown(coding: String) async throws {
        let server = StubTransport(.text("ok"))
        let path = folder.path("\(coding).har")
        var call = ask()
        call.headers = ["Content-Encoding": "\(coding)"]
        _ = try await Cassette(path: path, transport: server).client().data(for: call).get()
        let playing = try Cassette(path: path, mode: .none)
        let entry = try #require(try playing.archive.entries.first)
        #expect(entry.request.postData?.text == "" && entry.request.postData?.comment?.contains("can't be decoded") == true)
        #expect(await playing.client().data(for: call).error == nil)
    }

    @Test("An answer whose coding the caller asked for is kept decoded, as the format wants it, and played so")
    func answer() async throws {
        let coded = try #require(Data(base64Encoded: "H4sIAAAAAAACA6tWKkgsLi7PL0pRsgIyTU1BTF1DpVoABBtYQBkAAAA="))
        let server = StubTransport(.data(coded, contentType: "application/json", headers: ["Content-Encoding": "gzip"]))
        let path = folder.path("answer.har")
        let recording = try Cassette(path: path, transport: server)
        #expect(try await recording.client().data(for: Ask()).get() == coded)
        #expect(try recording.archive.entries.first?.response.content.text == #"{"password":"***"}"#)
        #expect(try await Cassette(path: path).client().data(for: Ask()).get() == Data(#"{"password":"***"}"#.utf8))
    }
}
