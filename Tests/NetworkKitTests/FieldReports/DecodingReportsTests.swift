import NetworkKit
import NetworkKitTesting
import PlatformBase
import Testing

/// Faults in reading answers that users of other clients reported, each by its number.
@Suite("Field reports: reading answers")
struct DecodingReportsTests {
    private let client = TestClient()

    @Test("B55: HEAD, 304 and an empty body with a content coding succeed")
    func codingWithoutBody() async throws {
        try await LoopbackServer.with { routes in
            routes.on(.head, "/") { _ in .raw("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 500\r\n\r\n") }
            routes.get("/") { _ in .raw("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 0\r\n\r\n") }
            routes.get("/304") { _ in .raw("HTTP/1.1 304 Not Modified\r\nContent-Encoding: gzip\r\n\r\n") }
        } perform: { server in
            let head = try await client.reply(endpoint: server.call("/", .head), responseModel: EmptyResponse.self).get().head
            #expect(head.headers[.contentEncoding] == "gzip" && head.headers[.contentLength] == "500")
            let empty = try await client.data(for: server.call()).get()
            #expect(empty.isEmpty)
            let unchanged = try await client.response(for: server.call("304")).get()
            #expect(unchanged.status == 304)
        }
    }

    @Test("B73: a byte order mark in front of JSON is passed over")
    func byteOrderMark() async throws {
        try await LoopbackServer.with { routes in
            routes.get("/") { _ in .data(Data([0xEF, 0xBB, 0xBF]) + Data(#"{"id": 3}"#.utf8), contentType: "application/json") }
        } perform: { server in
            let item = try await client.sendRequest(endpoint: server.call(), responseModel: Item.self).get()
            #expect(item.id == 3)
        }
    }

    @Test(
        "B75: an empty 2xx body is nil, EmptyResponse or no Data; a model that needs one says so and carries the answer",
        arguments: [200, 201, 202, 204, 205])
    func emptyBodies(_ status: Int) async throws {
        try await LoopbackServer.with { routes in
            routes.any("/") { _ in .status(HTTPStatus(status)) }
        } perform: { server in
            let call = server.call("/", .post)
            let optional = try await client.sendRequest(endpoint: call, responseModel: Item?.self).get()
            #expect(optional == nil)
            _ = try await client.sendRequest(endpoint: call, responseModel: EmptyResponse.self).get()
            let data = try await client.data(for: call).get()
            #expect(data.isEmpty)
            let failure = await client.sendRequest(endpoint: call, responseModel: Item.self).failure
            guard case .decode(let details) = failure else { return #expect(Bool(false)) }
            #expect(details.reason.contains("empty body"))
            #expect(failure?.statusCode?.code == status)
        }
    }

    @Test("HTML where JSON was expected is named as such; the body is at hand")
    func html() async throws {
        try await LoopbackServer.with { routes in
            routes.get("/") { _ in .data(Data("<html>Sign in</html>".utf8), contentType: "text/html; charset=utf-8") }
        } perform: { server in
            let failure = await client.sendRequest(endpoint: server.call(), responseModel: Item.self).failure
            guard case .decode(let details) = failure else { return #expect(Bool(false)) }
            #expect(details.reason.contains("text/html, not JSON"))
            #expect(details.excerpt == "<html>Sign in</html>")
            #expect(details.response?.text == "<html>Sign in</html>")
        }
    }

    @Test("A value of the wrong type is named with its place, the type expected and the piece of JSON around it")
    func codingPath() async throws {
        try await LoopbackServer.with { routes in
            routes.get("/") { _ in .json(#"[{"id": 1}, {"id": "two", "name": "b"}]"#) }
        } perform: { server in
            guard case .decode(let details) = await client.sendRequest(endpoint: server.call(), responseModel: [Item].self).failure else {
                return #expect(Bool(false))
            }
            #expect(details.codingPath == "[1].id")
            #expect(details.expectedType == "Int")
            #expect(details.excerpt.hasPrefix(#""two", "name""#))
        }
    }

    @Test("JSON that is nested without end is an error and no crash")
    func deepNesting() async throws {
        try await LoopbackServer.with { routes in
            routes.get("/") { _ in .json(String(repeating: "[", count: 200_000)) }
        } perform: { server in
            guard case .decode = await client.sendRequest(endpoint: server.call(), responseModel: [Item].self).failure else {
                return #expect(Bool(false))
            }
        }
    }

    @Test("An error's body is kept to 64 KiB, and a problem in it is read")
    func errorBodies() async throws {
        try await LoopbackServer.with { routes in
            routes.get("/large") { _ in .text(String(repeating: "x", count: 200_000), status: 500) }
            routes.get("/problem") { _ in
                .data(
                    Data(#"{"title": "Out of stock", "detail": "None left", "status": 409}"#.utf8), contentType: "application/problem+json",
                    status: 409)
            }
        } perform: { server in
            let large = try #require(await client.data(for: server.call("large")).failure)
            #expect(large.statusCode == 500)
            #expect(large.response?.body.count == 65_536 && large.response?.isBodyTruncated == true)
            let problem = try #require(await client.data(for: server.call("problem")).failure)
            #expect(problem.problem?.title == "Out of stock")
            #expect(problem.customMessage == "None left")
        }
    }
}
