import NetworkKit
import NetworkKitTesting
import PlatformBase
import TestSupport
import Testing

@Suite("CurlTransport: Unix sockets and addresses")
struct CurlTransportSocketTests {
    private func call(_ url: String) throws -> Call { Call(baseURL: try #require(URL(string: url))) }

    private func socketFailure(_ path: String) async throws -> (kind: RequestError.Connection.Kind, reason: String) {
        try connectionFailure(of: await TestClient(.init(unixSocket: path)).data(for: try call("http://localhost/x")))
    }

    @Test(
        "A Unix socket is connected to whatever host is asked, and keeps its connection",
        .enabled(if: NginxServer.isInstalled, "needs nginx"))
    func unixSocket() async throws {
        let server = try NginxServer()
        defer { server.stop() }
        let client = TestClient(.init(unixSocket: server.unixSocket))
        for (host, isReused) in [("localhost", false), ("localhost", true), ("nowhere.invalid", false)] {
            let reply = try await client.reply(endpoint: try call("http://\(host)/hello"), responseModel: String.self).get()
            #expect(reply.value == "hello over TLS")
            if isReused { #expect(reply.metrics.isConnectionReused) }
        }
    }

    @Test("A Unix socket that isn't there, or that nobody listens at: refused, and which one it is")
    func deadSockets() async throws {
        let absent = try await socketFailure("/tmp/networkkit-none.sock")
        #expect(absent.kind == .refused && absent.reason.contains("/tmp/networkkit-none.sock\" isn't there"), "\(absent.reason)")

        let path = FileManager.default.temporaryDirectory.appending(path: "nk-\(UUID().uuidString).sock").path
        let descriptor = try #require(Self.boundSocket(path))
        defer { unlink(path) }
        close(descriptor)
        let dead = try await socketFailure(path)
        #expect(dead.kind == .refused && dead.reason.contains("nobody listens at the Unix socket"), "\(dead.reason)")
        let file = try await socketFailure("/etc/hostname")
        #expect(file.reason.contains("/etc/hostname"), "\(file.reason)")
    }

    @Test("The path of a Unix socket that is too long, empty or a URL is an error that says so")
    func badPaths() async throws {
        let long = "/tmp/" + String(repeating: "x", count: 200)
        for (path, why) in [(long, "205 bytes"), ("", "empty"), ("/tmp/a\u{0}b", "NUL"), ("unix:///var/run/docker.sock", "is a URL")] {
            let failure = try await socketFailure(path)
            #expect(failure.reason.contains(why), "\(failure.reason)")
        }
    }

    @Test("A socket takes no proxy: one by option is an error, the environment's is passed over")
    func socketAndProxy() async throws {
        await #expect(processExitsWith: .success) {
            setenv("http_proxy", "http://127.0.0.1:1", 1)
            let call = Call(baseURL: try #require(URL(string: "http://localhost/x")))
            let failure = try connectionFailure(of: await TestClient(.init(unixSocket: "/tmp/none.sock")).data(for: call))
            #expect(failure.reason.contains("isn't there"))
        }
        let both = CurlTransport.Options(proxy: .url("http://127.0.0.1:1"), unixSocket: "/tmp/none.sock")
        let failure = try connectionFailure(of: await TestClient(both).data(for: try call("http://localhost/x")))
        #expect(failure.kind == .proxy && failure.reason.contains("leave one of them out"))
    }

    private static func boundSocket(_ path: String) -> Int32? {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let isBound = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
        return isBound ? descriptor : nil
    }

    // MARK: Addresses

    @Test("A name is connected to at the addresses given for it and its port, in whatever case; the request still names it")
    func addresses() async throws {
        try await LoopbackServer.with { routes in
            routes.fallback { request in .text(request.headers[.host] ?? "") }
        } perform: { server in
            // Nobody listens at the first: the next one is tried.
            let client = TestClient(.init(proxy: .none, addresses: ["API.invalid:\(server.port)": ["::1", "127.0.0.1"]]))
            for _ in 0..<3 { #expect(try await client.text(call("http://api.invalid:\(server.port)/")) == "api.invalid:\(server.port)") }
            #expect(server.connectionCount == 1)
            let other = try connectionFailure(of: await client.data(for: try call("http://api.invalid:1/")))
            #expect(other.kind == .nameLookup)
            // What one transport knows is nothing to another.
            let plain = try connectionFailure(of: await TestClient().data(for: try call("http://api.invalid:\(server.port)/")))
            #expect(plain.kind == .nameLookup)
        }
    }

    @Test("An IPv6 address for a name is connected to")
    func ipv6() async throws {
        let client = TestClient(.init(proxy: .none, addresses: ["six.invalid:9": ["2001:db8::7", "[::1]"], "one.invalid:1": ["::1"]]))
        let failure = try connectionFailure(of: await client.data(for: try call("http://one.invalid:1/")))
        // Nobody listens there: what counts is that the address was understood, and tried.
        #expect(failure.kind == .refused || failure.kind == .other)
    }

    @Test("An address that nobody listens at: refused, and where the address comes from")
    func deadAddress() async throws {
        let port = try LoopbackSocket.freePort()
        let client = TestClient(.init(proxy: .none, addresses: ["api.invalid:\(port)": ["127.0.0.1"]]))
        let failure = try connectionFailure(of: await client.data(for: try call("http://api.invalid:\(port)/")))
        #expect(failure.kind == .refused && failure.reason.contains("CurlTransport.Options.addresses"), "\(failure.reason)")
    }

    @Test(
        "A certificate is verified against the name that was asked, not the address", .enabled(if: NginxServer.isInstalled, "needs nginx"))
    func certificates() async throws {
        let server = try NginxServer()
        defer { server.stop() }
        let port = server.port(.otherName)
        let tls = TLSOptions(authorityFile: server.authorityFile)
        for (name, isRight) in [("elsewhere.example", true), ("another.example", false)] {
            let client = TestClient(.init(tls: tls, proxy: .none, addresses: ["\(name):\(port)": ["127.0.0.1"]]))
            let result = await client.sendRequest(endpoint: try call("https://\(name):\(port)/hello"), responseModel: String.self)
            if isRight {
                #expect(try result.get() == "hello over TLS")
            } else {
                #expect(try connectionFailure(of: result).reason.contains("for other names"))
            }
        }
    }

    @Test("A malformed entry fails every request, and nothing is connected to")
    func malformed() async throws {
        try await LoopbackServer.with { _ in
        } perform: { server in
            let client = TestClient(.init(proxy: .none, addresses: ["api.invalid": ["127.0.0.1"]]))
            let failure = try connectionFailure(of: await client.data(for: server.call()))
            #expect(failure.kind == .nameLookup && failure.reason.contains("has no port"))
            #expect(server.connectionCount == 0)
        }
    }
}
