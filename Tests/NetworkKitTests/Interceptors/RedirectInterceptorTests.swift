import Foundation
import NetworkKitTesting
import Testing

@testable import NetworkKit

@Suite("Following redirects")
struct RedirectInterceptorTests {
    private func follow(
        _ request: HTTPRequest, _ transport: StubTransport, policy: RedirectPolicy = .standard
    ) async throws(RequestError) -> HTTPResponse {
        try await Next(interceptors: [.redirects(policy)], transport: transport)(request)
    }

    private let secretFields: HTTPFields = [
        "Authorization": "Bearer t", "Cookie": "a=b", "Proxy-Authorization": "Basic x", "X-Api-Key": .secret("k"), "X-Plain": "p",
        "Host": "virtual.test",
    ]

    @Test("Redirects are followed to their end, and the end is the answer")
    func chain() async throws {
        let transport = StubTransport(redirects: ["https://a.test/1": "2", "https://a.test/2": "https://b.test/3"])
        let response = try await follow(HTTPRequest(url: url("https://a.test/1")), transport)
        #expect(response.status == 200 && response.url.absoluteString == "https://b.test/3")
        #expect(transport.requests.map(\.url.absoluteString) == ["https://a.test/1", "https://a.test/2", "https://b.test/3"])
    }

    @Test("A loop stops at the limit, with the last answer", arguments: [1, 5, 20])
    func loop(limit: Int) async throws {
        let transport = StubTransport(redirects: ["https://a.test/": "/"])
        let error = await failure { () async throws(RequestError) in
            try await follow(HTTPRequest(url: url("https://a.test/")), transport, policy: .init(limit: limit))
        }
        #expect(error?.redirectFault == .tooMany && error?.response?.head.status == 302)
        #expect(error?.description.contains("https://a.test/") == true)
        #expect(transport.requests.count == limit + 1)
    }

    @Test("A request's own policy wins over the interceptor's")
    func ownPolicy() async throws {
        let transport = StubTransport(redirects: ["https://a.test/": "/2"])
        var request = HTTPRequest(url: url("https://a.test/"))
        request.options.redirectPolicy = RedirectPolicy.manual
        #expect(try await follow(request, transport).status == 302)
        request.options.redirectPolicy = .standard
        #expect(try await follow(request, transport, policy: .manual).status == 200)
    }

    @Test(
        "Secrets stay with the home origin",
        arguments: [
            ("https://a.test/1", "https://a.test/2", true), ("https://a.test/1", "https://b.test/2", false),
            ("https://a.test/1", "https://a.test:8443/2", false), ("https://a.test/1", "//sub.a.test/2", false),
            ("http://a.test/1", "https://a.test/2", true), ("http://a.test:80/1", "https://a.test:443/2", true),
            ("http://a.test:8080/1", "https://a.test/2", false), ("http://a.test/1", "https://b.test/2", false),
        ])
    func secrets(source: String, location: String, isKept: Bool) async throws {
        let transport = StubTransport(redirects: [source: location])
        _ = try await follow(HTTPRequest(url: url(source), headers: secretFields), transport)
        let sent = try #require(transport.requests.last?.headers)
        #expect(transport.requests.first?.headers == secretFields)
        for name: HTTPField.Name in ["Authorization", "Cookie", "Proxy-Authorization", "X-Api-Key"] {
            #expect(sent.contains(name) == isKept)
        }
        #expect(sent["X-Plain"] == "p")
    }

    @Test("An insecure redirect that was asked for leaves secrets behind")
    func downgrade() async throws {
        let transport = StubTransport(redirects: ["https://a.test/1": "http://a.test/2"])
        let request = HTTPRequest(url: url("https://a.test/1"), headers: secretFields)
        _ = try await follow(request, transport, policy: .init(allowsInsecure: true))
        #expect(transport.requests.last?.headers.map(\.name) == ["X-Plain"])
    }

    @Test("What is gone stays gone when a later hop leads home")
    func wayBack() async throws {
        let transport = StubTransport(redirects: ["https://a.test/1": "https://b.test/2", "https://b.test/2": "https://a.test/3"])
        _ = try await follow(HTTPRequest(url: url("https://a.test/1"), headers: secretFields), transport)
        #expect(transport.requests.count == 3)
        #expect(transport.requests.last?.headers.map(\.name) == ["X-Plain"])
    }

    @Test("Home is where the call began, wherever this request goes")
    func home() async throws {
        let transport = StubTransport(redirects: ["https://b.test/1": "https://a.test/2", "https://b.test/9": "https://b.test/8"])
        var request = HTTPRequest(url: url("https://b.test/1"), headers: secretFields)
        request.context.homeOrigin = Origin(url("https://a.test"))
        _ = try await follow(request, transport)
        #expect(transport.requests.last?.headers.contains(.authorization) == true)
        request.url = url("https://b.test/9")
        _ = try await follow(request, transport)
        #expect(transport.requests.last?.headers.contains(.authorization) == false)
    }

    @Test(
        "Host is dropped where it would name another",
        arguments: [("/2", true), ("https://b.test/2", false), ("https://a.test:1/2", false)])
    func host(location: String, isKept: Bool) async throws {
        let transport = StubTransport(redirects: ["https://a.test/1": location])
        _ = try await follow(HTTPRequest(url: url("https://a.test/1"), headers: secretFields), transport)
        #expect(transport.requests.last?.headers.contains(.host) == isKept)
    }

    @Test(
        "A body with a secret stays with the home origin: a redirect that would take it elsewhere isn't followed",
        arguments: [
            (307, "https://b.test/2", false), (308, "https://a.test:8443/2", false), (307, "/2", true), (303, "https://b.test/2", true),
            (302, "https://b.test/2", true),
        ])
    func secretInBody(status: Int, location: String, isFollowed: Bool) async throws {
        let transport = StubTransport(redirects: ["https://a.test/1": location], status: HTTPStatus(status))
        for body in [RequestBody.form(["key": .secret("hush-hush")]), .json(["key": "hush-hush"]).hiding("hush-hush")] {
            let request = HTTPRequest(url: url("https://a.test/1"), method: .post, body: body)
            do throws(RequestError) {
                _ = try await follow(request, transport)
                #expect(isFollowed)
            } catch {
                #expect(!isFollowed && error.redirectFault == .secret && error.response?.head.status.code == status)
                #expect(error.description.contains("https://a.test") && error.description.contains("the body"))
                #expect(!everythingShown(of: error).contains("hush-hush"))
            }
        }
        #expect(transport.requests.count == (isFollowed ? 4 : 2))
        // Without one it is followed.
        let plain = HTTPRequest(url: url("https://a.test/1"), method: .post, body: .data(Data("x".utf8)))
        #expect(try await follow(plain, transport).status == 200)
    }

    @Test("User information in a Location is good for that place, and never shown")
    func userInformation() async throws {
        let transport = StubTransport {
            $0.any("https://a.test/1", .redirect(to: "https://jo:hunter22@b.test/2"))
            $0.any("https://b.test/2") { request in .failure(.connection(.init(reason: "no route to \(request.url)"))) }
        }
        let error = await failure { () async throws(RequestError) in
            try await follow(HTTPRequest(url: url("https://a.test/1"), headers: secretFields), transport)
        }
        let sent = try #require(transport.requests.last)
        #expect(sent.url.absoluteString == "https://b.test/2")
        #expect(sent.headers[.authorization] == "Basic " + Data("jo:hunter22".utf8).base64EncodedString())
        #expect(!everythingShown(of: error as Any).contains("hunter22") && !everythingShown(of: sent).contains("hunter22"))
    }

    @Test("A 307 sends the whole body again")
    func bodyAgain() async throws {
        let transport = StubTransport(redirects: ["https://a.test/1": "/2"], status: 307)
        let request = HTTPRequest(
            url: url("https://a.test/1"), method: .post, headers: ["Content-Type": "a/b"], body: .data(Data("x".utf8)))
        _ = try await follow(request, transport)
        let sent = try #require(transport.requests.last)
        #expect(sent.method == .post && sent.body == Data("x".utf8) && sent.headers[.contentType] == "a/b")
    }

    @Test("The body of a redirect is let go of before the next request")
    func discards() async throws {
        let ends = Recorder<String>()
        let transport = StubTransport {
            $0.fallback { request in
                let path = request.path
                ends.add("sent \(path)")
                let head = ResponseHead(
                    status: path == "/1" ? 302 : 200, headers: path == "/1" ? ["Location": "/2"] : [:], url: request.url)
                return .response(HTTPResponse(head: head, body: ResponseBody(WatchedSource { ends.add("ended \(path)") })))
            }
        }
        let response = try await follow(HTTPRequest(url: url("https://a.test/1")), transport)
        let values = ends.values
        let end = try #require(values.firstIndex(of: "ended /1"))
        let next = try #require(values.firstIndex(of: "sent /2"))
        #expect(end < next && !values.contains("ended /2"))
        withExtendedLifetime(response) {}
    }

    @Test("The context travels along, and secrets of the first URL are not taken to the next")
    func context() async throws {
        let transport = StubTransport(redirects: ["https://a.test/1?key=hunter22": "//b.test"])
        let request = HTTPRequest(url: url("https://a.test/1?key=hunter22"))
        _ = try await follow(request, transport)
        #expect(transport.requests.last?.url.absoluteString == "https://b.test/")
        #expect(transport.requests.map(\.context.id) == [request.context.id, request.context.id])
    }

    @Test("A call that is over sends no further request")
    func callIsOver() async throws {
        let scope = CallScope()
        let transport = StubTransport {
            $0.fallback { _ in
                scope.end(.timedOut())
                return .redirect(to: "/2")
            }
        }
        var request = HTTPRequest(url: url("https://a.test/1"))
        request.context.scope = scope
        let error = await failure { () async throws(RequestError) in try await follow(request, transport) }
        #expect(error?.caseName == "timedOut" && transport.requests.count == 1)
    }
}

/// A body without bytes that tells when it is let go of.
private final class WatchedSource: BodySource {
    let expectedLength: Int64? = nil
    private let ended: @Sendable () -> Void
    init(_ ended: @escaping @Sendable () -> Void) { self.ended = ended }
    func next(isolation: isolated (any Actor)?) async throws(RequestError) -> Data? { nil }
    func end() { ended() }
}
