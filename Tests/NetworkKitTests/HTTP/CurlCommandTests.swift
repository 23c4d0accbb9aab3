import Foundation
import NetworkKitTesting
import PlatformBase
import TestSupport
import Testing

@testable import NetworkKit

@Suite("Command lines of curl")
struct CurlCommandTests {
    private struct Purge: RequestMethod { let name = "M-SEARCH" }

    private static let everyByte = Data((0...255).map { UInt8($0) })

    /// Requests of which each is odd in another way.
    private static func oddRequests(file: URL) -> [(name: String, call: Call)] {
        let base = url("http://replaced.test")
        func call(
            _ name: String, _ path: Path = "x", _ method: any RequestMethod = .get, query: Query = [:], headers: HTTPFields = [:],
            body: RequestBody? = nil
        ) -> (String, Call) {
            (name, Call(baseURL: base, path: path, method: method, query: query, headers: headers, body: body))
        }
        return [
            call("plain"), call("no path", ""), call("HEAD", "x", .head), call("OPTIONS", "x", .options), call("method", "x", Purge()),
            call("globs", "a[1-3]/{b,c}", query: ["q[]": ["{1,2}", "[a-z]"]]), call("dot segments", "a/../b/./c/.."),
            call("slashes", "a//b///"), call("encoded", "a%2Fb/%7e/\("ü/?#& +")", query: Query(encoded: "a+b=%zz&&=")),
            call("shell", "it's/$HOME/`id`/!x;&|<>()*~", query: ["q": "'\"$(id)\\"]), call("question mark at the end", "x?"),
            call(
                "fields",
                headers: ["X-A": "it's \"$HOME\" `id` \\ %", "X-Empty": "", "X-Twice": ["1", "2"], "x-lower": "@file", "X-Utf": "ü🎈"]),
            call("own User-Agent and Accept", headers: ["User-Agent": "Mine/1 (a; b)", "Accept": "text/html"]),
            call("Host", headers: ["Host": "virtual.test:81"]), call("Cookie", headers: ["Cookie": "a=1; b=\"2\""]),
            call("Range", headers: ["Range": "bytes=0-1"]), call("own Accept-Encoding", headers: ["Accept-Encoding": "identity"]),
            call("credentials", headers: ["Authorization": "Bearer s3cret'token"]),
            call("secret everywhere", "k/\(secret: "s3cret/path")", query: ["key": .secret("s3cret query")]),
            call("POST without a body", "x", .post), call("PUT without a body", "x", .put), call("DELETE without a body", "x", .delete),
            call("empty body", "x", .post, body: .data(Data())), call("JSON", "x", .patch, body: .json(["a": "it's\n\"ü\""])),
            call("form", "x", .post, body: .form(["a": "b c&d=", "k": .secret("s3cret+form")])),
            call("text with line ends", "x", .put, body: .data(Data("\r\n a\\n%b'\n\n".utf8), contentType: "text/plain")),
            call("at sign", "x", .post, body: .data(Data("@/etc/hostname".utf8))),
            call("untyped", "x", .post, body: .data(Data("a".utf8), contentType: nil)),
            call("every byte", "x", .post, body: .data(everyByte)), call("no UTF-8", "x", .post, body: .data(Data([0xFF, 0x27, 0x0A]))),
            call("large", "x", .post, body: .data(Data(repeating: 0x27, count: 100_000))),
            call("body on GET", "x", .get, body: .data(Data("g".utf8))), call("body on DELETE", "x", .delete, body: .data(Data("d".utf8))),
            call("file", "x", .put, body: .file(file, contentType: "text/csv")),
        ]
    }

    /// What arrives, but for the list of codings, which is each program's own.
    private func essence(_ request: RecordedRequest) -> [String] {
        let fields = request.headers.map { $0.name == .acceptEncoding ? "Accept-Encoding" : "\($0.name): \($0.value)" }
        return ["\(request.method) \(request.target)"] + fields.sorted() + [request.body.base64EncodedString()]
    }

    @Test(
        "The real curl sends what NetworkKit sends, odd requests included",
        .enabled(if: Program.curl != nil, "curl isn't installed"))
    func sameAsSent() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "curl it's \(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "a 'file' & more")
        try Self.everyByte.write(to: file)
        try await LoopbackServer.with { routes in
            routes.fallback { _ in .text("ok") }
        } perform: { server in
            let sent = Recorder<HTTPRequest>()
            let client = TestClient(interceptors: [Tap(sent: sent)])
            for (name, call) in Self.oddRequests(file: file) {
                var call = call
                call.baseURL = server.baseURL
                _ = try await client.data(for: call).get()
                let command = try #require(sent.values.last).curlCommand(showsSecrets: true)
                let script = folder.appending(path: "script")
                try Data("export no_proxy='*' HOME=/nonexistent; \(command)\n".utf8).write(to: script)
                let shell = try ChildProcess(URL(filePath: "/bin/sh"), [script.path], folder: folder)
                #expect(shell.wait() == 0, "\(name): \(command.prefix(500))")
                let pair = server.requests.suffix(2).map(essence)
                #expect(pair.count == 2 && pair[0] == pair[1], "\(name): \(command.prefix(500))")
            }
        }
    }

    @Test("A stream isn't read: the command takes it from its standard input, or from a file that is named")
    func streams() async throws {
        let chunks = AsyncStream<Data> { $0.finish() }
        let request = HTTPRequest(url: url("https://h.test/x"), method: .post, body: .stream(chunks))
        #expect(try request.curlCommand().hasSuffix("--header 'Transfer-Encoding: chunked' --data-binary @-"))
        #expect(try request.curlCommand(bodyFile: "it's").hasSuffix(#"--data-binary '@it'\''s'"#))
        #expect(request.body?.isSpent == false)
    }

    @Test("Secrets are masked unless they are asked for, in a binary body too")
    func secrets() throws {
        var request = try HTTPRequest(
            SampleEndpoint(
                baseURL: url("https://jo:pa55word@h.test"), path: "f/\(secret: "s3cret/path")", method: .post,
                query: ["key": .secret("s3cret query")], headers: ["X-Key": .secret("s3cret-field")],
                body: .data(Data([0, 1]) + Data("s3cret-body".utf8)).hiding("s3cret-body")))
        request.headers["Cookie"] = "sid=s3cret-cookie"
        let masked = try request.curlCommand()
        #expect(!masked.contains("s3cret") && !masked.contains("pa55word") && masked.contains("***"))
        let whole = try request.curlCommand(showsSecrets: true)
        for part in ["s3cret%2Fpath", "s3cret%20query", "s3cret-field", "s3cret\\055body", "s3cret-cookie", "Basic "] {
            #expect(whole.contains(part))
        }
    }

    @Test("A request that couldn't be sent has no command")
    func invalid() {
        var request = HTTPRequest(url: url("https://h.test/"))
        request.headers["X-A"] = "a\r\nB: c"
        let error = failure { () throws(RequestError) in try request.curlCommand() }
        #expect(error?.encodePart == .fieldValue("X-A"))
    }
}

/// Keeps what is sent.
private struct Tap: Interceptor {
    let sent: Recorder<HTTPRequest>
    func intercept(_ request: HTTPRequest, next: Next) async throws(RequestError) -> HTTPResponse {
        sent.add(request)
        return try await next(request)
    }
}
