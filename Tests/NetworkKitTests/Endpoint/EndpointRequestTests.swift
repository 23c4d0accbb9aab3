import Foundation
import Testing

@testable import NetworkKit

@Suite("From endpoint to request")
struct EndpointRequestTests {
    @Test("An endpoint's defaults are a bare GET")
    func defaults() throws {
        let request = try HTTPRequest(SampleEndpoint(path: "a"))
        #expect(request.method == .get)
        #expect(request.url.absoluteString == "https://api.example.com/a")
        #expect(request.headers.isEmpty && request.body == nil && request.options == RequestOptions())
    }

    @Test("The body sets Content-Type, unless the endpoint does")
    func contentType() throws {
        let json = try HTTPRequest(SampleEndpoint(method: .delete, body: .json(["a": 1])))
        #expect(json.headers[values: .contentType] == ["application/json"])
        #expect(json.body?.length == 7)
        let own = try HTTPRequest(SampleEndpoint(method: .post, headers: ["content-type": "a/b"], body: .json(["a": 1])))
        #expect(own.headers[values: .contentType] == ["a/b"])
        let untyped = try HTTPRequest(SampleEndpoint(method: .post, body: .data(Data("x".utf8), contentType: nil)))
        #expect(!untyped.headers.contains(.contentType))
    }

    @Test("A request without a body has no Content-Type")
    func bodyless() throws {
        #expect(try HTTPRequest(SampleEndpoint(headers: ["Content-Type": "application/json"])).headers.isEmpty)
    }

    @Test("A body brings its own encoder, else the session's is used")
    func encoders() throws {
        struct Shouting: RequestEncoder {
            func encode<Value: Encodable>(_ value: Value) throws -> Data { Data("\(value)!".utf8) }
        }
        func sent(_ body: RequestBody, by encoder: any RequestEncoder) throws -> String? {
            let request = try HTTPRequest(SampleEndpoint(body: body), encoder: encoder)
            guard case .data(let data) = request.body?.content else { return nil }
            return String(decoding: data, as: UTF8.self)
        }
        #expect(try sent(.json("hi"), by: Shouting()) == "hi!")
        #expect(try sent(.json("hi", encoder: Shouting()), by: .json) == "hi!")
        #expect(try sent(.json("a/b"), by: .json) == "\"a/b\"")
        #expect(try sent(.json(Date(timeIntervalSince1970: 0)), by: .json) == "\"1970-01-01T00:00:00Z\"")
    }

    @Test("A value that doesn't encode is named by its place")
    func encodingFailure() {
        let error = failure { () throws(RequestError) in
            try HTTPRequest(SampleEndpoint(method: .post, body: .json(["orders": [1.0, .nan]])))
        }
        guard case .encode(let details) = error else { return #expect(error != nil, "expected encode") }
        #expect(details.codingPath == "orders[1]")
        #expect(details.part == .body)
        #expect(details.underlying is EncodingError)
    }

    @Test("A file that isn't there ends in file, and nothing is sent")
    func missingFile() {
        let error = failure { () throws(RequestError) in
            try HTTPRequest(SampleEndpoint(method: .put, body: .file(URL(filePath: "/no/such/file"))))
        }
        guard case .file(let details) = error else { return #expect(error != nil, "expected file") }
        #expect(details.path == "/no/such/file")
        #expect(details.code == 2)
    }

    @Test("User information in the base URL is good for Authorization, unless the endpoint has its own")
    func credentials() throws {
        let base = url("https://jo:pw@h.test")
        #expect(try HTTPRequest(SampleEndpoint(baseURL: base)).headers[.authorization] == "Basic am86cHc=")
        let own = try HTTPRequest(SampleEndpoint(baseURL: base, headers: [.authorization: "Bearer t"]))
        #expect(own.headers[values: .authorization] == ["Bearer t"])
        #expect(own.url.absoluteString == "https://h.test")
    }

    @Test("An idempotency key is sent, and lets any method go twice")
    func idempotencyKey() throws {
        let request = try HTTPRequest(SampleEndpoint(method: .post, options: .init(idempotencyKey: "k-1")))
        #expect(request.headers[.idempotencyKey] == "k-1")
        #expect(request.isIdempotent)
        #expect(try !HTTPRequest(SampleEndpoint(method: .post)).isIdempotent)
    }

    @Test("A method that is no token is refused", arguments: ["", "GE T", "GET\r\nX: y", "GET\0", "GÉT", "GET /x HTTP/1.1", "CONNECT"])
    func methods(name: String) {
        struct Odd: RequestMethod { var name: String }
        let error = failure { () throws(RequestError) in try HTTPRequest(SampleEndpoint(method: Odd(name: name))) }
        #expect(error?.encodePart == .method)
    }

    @Test("The secrets of path, query, fields, body and user information are known to the call")
    func secrets() throws {
        let request = try HTTPRequest(
            SampleEndpoint(
                baseURL: url("https://jo:pa55word@h.test"), path: "f/\(secret: "p4th/key")", method: .post,
                query: ["k": .secret("qu3ry key")], headers: ["X-Api-Key": .secret("h34der")], body: .form(["s": .secret("f0rm s&cret")])))
        let text = """
            pa55word p4th/key p4th%2Fkey p4th%2fkey qu3ry key qu3ry%20key qu3ry+key h34der f0rm+s%26cret f0rm s&cret \
            \(Data("jo:pa55word".utf8).base64EncodedString())
            """
        #expect(request.context.secrets.masking(text).allSatisfy { $0 == "*" || $0 == " " })
    }
}
