import NetworkKit
import NetworkKitTesting
import PlatformBase
import Testing

@Suite struct LoopbackResponseTests {
    @Test func theAnswersFieldsAreSentAsTheyAreAndWin() async throws {
        try await withServer { routes in
            routes.get("/") { _ in
                .text(
                    "hello", status: 203, headers: ["x-ONE": "1", "Content-Type": "a/b", "Set-Cookie": ["a=1", "b=2"], "Connection": "x"])
            }
        } _: { server in
            let answer = try await RawClient(server.port).get("/")
            #expect(
                answer.head == "HTTP/1.1 203 Non-Authoritative Information\r\nx-ONE: 1\r\nContent-Type: a/b\r\nSet-Cookie: a=1\r\n"
                    + "Set-Cookie: b=2\r\nConnection: x\r\nContent-Length: 5\r\n\r\n")
        }
    }

    @Test func anAnswerWithoutContentHasALengthWhereItMay() async throws {
        try await withServer { routes in
            routes.get("/:status") { request in .status(HTTPStatus(Int(request.parameters["status"] ?? "") ?? 0)) }
        } _: { server in
            let client = try await RawClient(server.port)
            #expect(try await client.get("/200").head == "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
            #expect(try await client.get("/204").head == "HTTP/1.1 204 No Content\r\n\r\n")
            #expect(try await client.get("/304").head == "HTTP/1.1 304 Not Modified\r\n\r\n")
            #expect(try await client.get("/799").head == "HTTP/1.1 799 \r\nContent-Length: 0\r\n\r\n")
        }
    }

    @Test func anAnswerToHEADHasNoBody() async throws {
        try await withServer { routes in
            routes.get("/data") { _ in .text("hello") }
            routes.get("/chunks") { _ in .chunks([Data("a".utf8)]).trailers(["A": "b"]).cut(afterBodyBytes: 0) }
        } _: { server in
            let client = try await RawClient(server.port)
            try await client.send("HEAD /data HTTP/1.1\r\nHost: h\r\n\r\n")
            #expect(try await client.readAnswer(isHead: true).field("Content-Length") == "5")
            try await client.send("HEAD /chunks HTTP/1.1\r\nHost: h\r\n\r\n")
            #expect(try await client.readAnswer(isHead: true).field("Transfer-Encoding") == "chunked")
            #expect(try await client.get("/data").text == "hello")
        }
    }

    @Test func chunksAreSentAsTheyAreGiven() async throws {
        try await withServer { routes in
            routes.get("/pieces") { _ in .chunks([Data("ab".utf8), Data(), Data("cde".utf8)]).trailers(["X-Sum": "5"]) }
            routes.get("/sliced") { _ in .text("abcdefg").chunked(into: 3) }
            routes.get("/stream") { _ in
                .stream(
                    AsyncStream { stream in
                        for text in ["one", "", "three"] { stream.yield(Data(text.utf8)) }
                        stream.finish()
                    })
            }
        } _: { server in
            let client = try await RawClient(server.port)
            let pieces = try await client.get("/pieces")
            #expect(pieces.chunks == [2, 3] && pieces.text == "abcde" && pieces.trailers == "X-Sum: 5\r\n")
            let sliced = try await client.get("/sliced")
            #expect(sliced.chunks == [3, 3, 1] && sliced.text == "abcdefg")
            let stream = try await client.get("/stream")
            #expect(stream.chunks == [3, 5] && stream.text == "onethree")
        }
    }

    @Test func anErrorInAStreamBreaksTheAnswerOff() async throws {
        struct Broken: Error {}
        try await withServer { routes in
            routes.get("/") { _ in
                .stream(
                    AsyncThrowingStream { stream in
                        stream.yield(Data("abc".utf8))
                        stream.finish(throwing: Broken())
                    })
            }
        } _: { server in
            let client = try await RawClient(server.port)
            try await client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
            let (text, ending) = try await client.readToEnd()
            #expect(text.hasSuffix("\r\n\r\n3\r\nabc\r\n") && ending == .closed)
        }
    }

    @Test func interimAnswersComeFirst() async throws {
        try await withServer { routes in
            routes.get("/") { _ in .text("hello").interim(103, ["Link": "</a.css>"]).interim(102) }
        } _: { server in
            let client = try await RawClient(server.port)
            let first = try await client.get("/")
            #expect(first.head == "HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\n")
            #expect(try await client.readAnswer().head == "HTTP/1.1 102 Processing\r\n\r\n")
            #expect(try await client.readAnswer().text == "hello")
        }
    }

    @Test func aCompressedBodyDecodes() async throws {
        let text = String(repeating: "to be or not to be ", count: 5_000)
        try await withServer { routes in
            routes.get("/gzip") { _ in .text(text).gzipped() }
            routes.get("/deflate") { _ in .text(text).deflated() }
            routes.get("/raw") { _ in .text(text).deflatedRaw() }
            routes.get("/chunks") { _ in .text(text).gzipped().chunked(into: 100) }
            routes.get("/stream") { _ in .generated(bytes: 500_000, chunk: 1_000).gzipped() }
        } _: { server in
            let client = try await RawClient(server.port)
            for (path, coding, window) in [
                ("/gzip", "gzip", 31), ("/deflate", "deflate", 15), ("/raw", "deflate", -15), ("/chunks", "gzip", 31),
            ] {
                let answer = try await client.get(path)
                #expect(answer.field("Content-Encoding") == coding)
                #expect(answer.body.count < 2_000)
                #expect(inflated(answer.body, windowBits: Int32(window)) == Data(text.utf8))
            }
            let stream = try await client.get("/stream")
            #expect(inflated(stream.body, windowBits: 31) == Data((0..<500_000).map { UInt8($0 % 251) }))
        }
    }

    @Test func aGeneratedBodyCountsUpWhateverItsChunks() async throws {
        try await withServer { routes in
            routes.get("/") { _ in .generated(bytes: 10_000_000, chunk: 99_999) }
            routes.get("/chunked") { _ in .generated(bytes: 1_000).chunked(into: 300) }
            routes.get("/none") { _ in .generated(bytes: 0) }
        } _: { server in
            let client = try await RawClient(server.port)
            let answer = try await client.get("/")
            #expect(answer.body.count == 10_000_000)
            let block = Data((0..<251 * 1_000).map { UInt8($0 % 251) })
            #expect(answer.body.prefix(block.count) == block)
            #expect(answer.body.last == UInt8(9_999_999 % 251))
            let chunked = try await client.get("/chunked")
            #expect(chunked.chunks == [300, 300, 300, 100])
            #expect(chunked.body == Data((0..<1_000).map { UInt8($0 % 251) }))
            #expect(try await client.get("/none").field("Content-Length") == "0")
        }
    }

    @Test func aConnectionIsClosedBehindAnAnswerAnnouncedOrNot() async throws {
        try await withServer { routes in
            routes.get("/announced") { _ in .text("a").closingConnection() }
            routes.get("/silent") { _ in .text("a").closingSilently() }
        } _: { server in
            for (path, field) in [("/announced", "close"), ("/silent", nil)] {
                let client = try await RawClient(server.port)
                let answer = try await client.get(path)
                #expect(answer.field("Connection") == field)
                #expect(try await client.reading() == .init("", .closed))
            }
        }
    }
}
