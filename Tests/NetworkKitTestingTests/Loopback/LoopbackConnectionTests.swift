import NetworkKit
import NetworkKitTesting
import PlatformBase
import Testing

@Suite struct LoopbackConnectionTests {
    private static let hello: @Sendable (inout LoopbackRoutes) -> Void = { routes in
        routes.get("/") { _ in .text("hello") }
        routes.post("/") { request in .text(try await request.text()) }
    }

    @Test func aConnectionIsKeptAndItsReuseRecorded() async throws {
        try await withServer(Self.hello) { server in
            let client = try await RawClient(server.port)
            for _ in 1...3 { #expect(try await client.get("/").text == "hello") }
            #expect(server.connectionCount == 1)
            #expect(server.requests.map(\.isReused) == [false, true, true])
            #expect(server.requests.map(\.connection) == [1, 1, 1])
        }
    }

    @Test func aConnectionIsClosedWhenTheClientAsksForIt() async throws {
        try await withServer(Self.hello) { server in
            let client = try await RawClient(server.port)
            try await client.send("GET / HTTP/1.1\r\nHost: h\r\nConnection: Close\r\n\r\n")
            let (text, ending) = try await client.readToEnd()
            #expect(text.contains("Connection: close\r\n") && text.hasSuffix("hello"))
            #expect(ending == .closed)
        }
    }

    @Test func aClientOfHTTP10GetsACloseUnlessItAsksToKeepTheConnection() async throws {
        try await withServer { routes in
            Self.hello(&routes)
            routes.get("/chunks") { _ in .chunks([Data("ab".utf8), Data("cd".utf8)]).interim(103) }
        } _: { server in
            let client = try await RawClient(server.port)
            try await client.send("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
            let kept = try await client.readAnswer()
            #expect(kept.field("Connection") == "keep-alive" && kept.text == "hello")
            try await client.send("GET /chunks HTTP/1.0\r\n\r\n")
            let (text, ending) = try await client.readToEnd()
            #expect(text == "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nabcd")
            #expect(ending == .closed)
        }
    }

    @Test func pipelinedRequestsAreAnsweredInOrder() async throws {
        try await withServer(Self.hello) { server in
            let client = try await RawClient(server.port)
            let post = "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabc"
            let chunked = "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nwxyz\r\n0\r\n\r\n"
            try await client.send(post + chunked + "\r\nGET / HTTP/1.1\r\nHost: h\r\n\r\n" + post)
            for expected in ["abc", "wxyz", "hello", "abc"] { #expect(try await client.readAnswer().text == expected) }
            #expect(server.connectionCount == 1)
        }
    }

    @Test func whatIsPipelinedBehindTheLastRequestDoesNotHarmItsAnswer() async throws {
        let gate = LoopbackGate()
        try await withServer { routes in
            routes.get("/") { _ in
                await gate.wait()
                return .text("hello")
            }
        } _: { server in
            let client = try await RawClient(server.port)
            try await client.send("GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
            await server.waitForRequests(1)
            try await client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
            gate.open()
            let (text, ending) = try await client.readToEnd()
            #expect(text.hasSuffix("\r\n\r\nhello") && ending == .closed)
            #expect(server.requestCount == 1)
        }
    }

    @Test func aRequestMayArriveInPieces() async throws {
        try await withServer(Self.hello) { server in
            let client = try await RawClient(server.port)
            for byte in "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n2;x=y\r\nok\r\n0\r\nA: b\r\n\r\n" {
                try await client.send(String(byte))
            }
            #expect(try await client.readAnswer().text == "ok")
            #expect(server.requests.first?.trailers == ["A": "b"])
        }
    }

    @Test func aClientThatHasEndedItsSideIsAnswered() async throws {
        try await withServer(Self.hello) { server in
            let client = try await RawClient(server.port)
            try await client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
            client.endWriting()
            let (text, ending) = try await client.readToEnd()
            #expect(text.hasSuffix("\r\n\r\nhello") && ending == .closed)
        }
    }

    @Test func aConnectionCanBeRefusedBeforeTheRequest() async throws {
        try await withServer { routes in
            Self.hello(&routes)
            routes.onConnect { connection in
                switch connection.number {
                case 1: .reset
                case 2: .close
                case 3: .stall
                default: .accept
                }
            }
        } _: { server in
            #expect(try await RawClient(server.port).readToEnd().ending == .reset)
            #expect(try await RawClient(server.port).readToEnd().ending == .closed)
            let stalled = try await RawClient(server.port)
            try await stalled.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
            #expect(try await RawClient(server.port).get("/").text == "hello")
            #expect(try await stalled.isSilent())
            #expect(server.requestCount == 1)
        }
    }

    @Test func fifteenHundredConnectionsAtOnceAreServed() async throws {
        allowDescriptors(4_096)
        try await withServer(Self.hello) { server in
            let port = server.port
            let count = 1_500
            let clients = try await RawClient.onThread {
                try (0..<count).map { _ in try RawClient.connect(port) }
            }
            defer { clients.forEach { PlatformBase.close($0) } }
            await server.waitForConnections(count)
            #expect(server.openConnectionCount == count)
            let answered = await Self.exchangeOnAll(clients)
            #expect(answered == count)
            #expect(server.requestCount == count)
        }
    }

    private static func exchangeOnAll(_ clients: [Int32]) async -> Int {
        let request = [UInt8]("GET / HTTP/1.1\r\nHost: h\r\n\r\n".utf8)
        let answered = try? await RawClient.onThread {
            for client in clients { _ = write(client, request, request.count) }
            return clients.count { client in
                var buffer = [UInt8](repeating: 0, count: 4_096)
                let count = recv(client, &buffer, buffer.count, 0)
                return count > 0 && String(decoding: buffer.prefix(count), as: UTF8.self).hasSuffix("hello")
            }
        }
        return answered ?? 0
    }

    @Test func oneConnectionMoreThanTheLimitIsClosed() async throws {
        var limits = LoopbackServer.Limits()
        limits.connections = 2
        try await withServer(Self.hello, limits: limits) { server in
            let first = try await RawClient(server.port)
            let second = try await RawClient(server.port)
            await server.waitForConnections(2)
            #expect(try await RawClient(server.port).readToEnd().ending == .closed)
            #expect(try await first.get("/").text == "hello")
            #expect(try await second.get("/").text == "hello")
        }
    }

    @Test func theServerIsIdleWhenItsClientsHaveGone() async throws {
        try await withServer(Self.hello) { server in
            var client: RawClient? = try await RawClient(server.port)
            _ = try await client?.get("/")
            #expect(server.openConnectionCount == 1)
            client = nil
            await server.waitUntilIdle()
            #expect(server.openConnectionCount == 0)
            #expect(server.connectionCount == 1)
        }
    }
}

/// Lets this process have so many descriptors, as far as the system does: some begin with 256.
private func allowDescriptors(_ count: rlim_t) {
    #if canImport(Glibc)
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
    let resource = RLIMIT_NOFILE
    #endif
    var limit = rlimit()
    guard getrlimit(resource, &limit) == 0, limit.rlim_cur < count else { return }
    limit.rlim_cur = min(count, limit.rlim_max)
    setrlimit(resource, &limit)
}
