import NetworkKit
import NetworkKitTesting
import PlatformBase
import Testing

@Suite struct LoopbackExchangeTests {
    private static let chunkedPost = "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"

    @Test func anEchoAnswersWhileTheRequestIsStillComing() async throws {
        try await withServer { routes in
            routes.stream(.post, "/") { exchange in
                try await exchange.sendHead(200)
                while let chunk = try await exchange.readChunk() { try await exchange.send(chunk) }
                try await exchange.finish(trailers: ["X-End": exchange.request.trailers["X-End"]])
            }
        } _: { server in
            let client = try await RawClient(server.port)
            for _ in 1...2 {
                try await client.send(Self.chunkedPost)
                _ = try await client.read(through: "\r\n\r\n")
                for text in ["one", "two"] {
                    try await client.send("3\r\n\(text)\r\n")
                    #expect(try await client.read(through: "\(text)\r\n") == "3\r\n\(text)\r\n")
                }
                try await client.send("0\r\nX-End: yes\r\n\r\n")
                #expect(try await client.read(through: "\r\n\r\n") == "0\r\nX-End: yes\r\n\r\n")
            }
            #expect(server.connectionCount == 1)
        }
    }

    @Test func anAnswerMayComeBeforeTheUploadsEnd() async throws {
        try await withServer { routes in
            routes.stream(.post, "/") { exchange in
                _ = try await exchange.readChunk()
                try await exchange.sendHead(413, ["Content-Length": 3])
                try await exchange.send("big")
                try await exchange.finish()
            }
        } _: { server in
            let client = try await RawClient(server.port)
            try await client.send(Self.chunkedPost + "3\r\nabc\r\n")
            #expect(try await client.readAnswer().text == "big")
            // The rest is drained, and the connection goes on.
            try await client.send("3\r\nabc\r\n0\r\n\r\n" + Self.chunkedPost + "1\r\na\r\n0\r\n\r\n")
            #expect(try await client.readAnswer().text == "big")
            #expect(server.connectionCount == 1)
        }
    }

    @Test func aClientThatSendsFasterThanTheRouteReadsIsHeldBack() async throws {
        let gate = LoopbackGate()
        try await withServer { routes in
            routes.stream(.post, "/") { exchange in
                await gate.wait()
                var count = 0
                while let chunk = try await exchange.readChunk() { count += chunk.count }
                try await exchange.sendHead(200, ["Content-Length": String(String(count).count)])
                try await exchange.send(String(count))
            }
        } _: { server in
            let client = try await RawClient(server.port)
            let size = 30_000_000
            try await client.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: \(size)\r\n\r\n")
            async let sending: Void = client.send(Data(repeating: 1, count: size))
            await server.waitForRequests(1)
            let isHeldBack = try await RawClient.onThread { [descriptor = client.descriptor] in isBlocked(descriptor) }
            #expect(isHeldBack)
            gate.open()
            try await sending
            #expect(try await client.readAnswer().text == "\(size)")
        }
    }

    @Test func anExchangeSendsWhatItIsToldTo() async throws {
        try await withServer { routes in
            routes.stream(nil, "/") { exchange in
                try await exchange.sendInterim(103, ["Link": "</a>"])
                try await exchange.sendRaw("HTTP/1.1 2")
                try await exchange.sendRaw("00\r\n\r\nraw")
            }
            routes.stream(.get, "/reset") { exchange in
                try await exchange.sendHead(200)
                exchange.reset()
            }
            routes.stream(.get, "/close") { exchange in
                try await exchange.sendHead(200, ["Content-Length": 10])
                try await exchange.send("abc")
                exchange.close()
            }
            routes.stream(.get, "/short") { exchange in
                try await exchange.sendHead(200, ["Content-Length": 10])
                try await exchange.send("abc")
            }
            routes.stream(.get, "/nothing") { _ in }
            routes.stream(.get, "/unfinished") { exchange in try await exchange.sendHead(200) }
        } _: { server in
            func answer(_ path: String) async throws -> RawClient.Reading {
                let client = try await RawClient(server.port)
                try await client.send("GET \(path) HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
                return try await client.reading()
            }
            #expect(try await answer("/") == .init("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200\r\n\r\nraw", .closed))
            #expect(try await answer("/reset").ending == .reset)
            for path in ["/close", "/short"] {
                let reading = try await answer(path)
                #expect(reading.text.hasSuffix("\r\n\r\nabc") && reading.ending == .closed)
            }
            #expect(try await answer("/nothing").text.hasPrefix("HTTP/1.1 500 "))
            #expect(try await answer("/unfinished").text.hasSuffix("\r\n\r\n0\r\n\r\n"))
        }
    }

    @Test func callsInAnImpossibleOrderAreErrors() async throws {
        let ran = Ran()
        try await withServer { routes in
            routes.stream(.get, "/") { exchange in
                do { try await exchange.send("early") } catch LoopbackError.misuse { ran.note("body before head") }
                try await exchange.sendHead(200)
                do { try await exchange.sendHead(200) } catch LoopbackError.misuse { ran.note("second head") }
                do { try await exchange.sendInterim(103) } catch LoopbackError.misuse { ran.note("interim behind head") }
                try await exchange.finish()
                do { try await exchange.finish() } catch LoopbackError.misuse { ran.note("second end") }
            }
        } _: { server in
            let client = try await RawClient(server.port)
            #expect(try await client.get("/").status == 200)
            await server.waitForAnswers(1)
            #expect(ran.texts == ["body before head", "second head", "interim behind head", "second end"])
        }
    }

    @Test func anExchangeSeesItsClientGo() async throws {
        let ran = Ran()
        try await withServer { routes in
            routes.stream(.get, "/") { exchange in
                try await exchange.sendHead(200)
                try await exchange.request.waitForClientToClose()
                ran.note("gone")
            }
        } _: { server in
            var client: RawClient? = try await RawClient(server.port)
            try await client?.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
            _ = try await client?.read(through: "\r\n\r\n")
            client = nil
            await server.waitUntilIdle()
            #expect(ran.texts == ["gone"])
        }
    }
}

/// Whether a socket takes no more bytes, and goes on doing so.
private func isBlocked(_ descriptor: Int32) -> Bool {
    var quiet = 0
    while quiet < 3 {
        var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        // The sender fills what room there is; three looks in a row that find none mean that none is made.
        quiet = poll(&entry, 1, 30) == 0 ? quiet + 1 : 0
    }
    return true
}
