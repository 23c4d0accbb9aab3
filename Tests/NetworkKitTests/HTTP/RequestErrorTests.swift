import Foundation
import Testing

@testable import NetworkKit

@Suite("Errors")
struct RequestErrorTests {
    private static let all: [RequestError] = [
        .invalidURL(), .encode(), .noResponse(), .unauthorized(), .unexpectedStatusCode(), .decode(), .unknown(), .connection(),
        .timedOut(),
        .cancelled(), .responseTooLarge(), .redirect(), .notReplayable(), .rejected(), .authentication(), .file(), .integrity(), .stream(),
        .interceptor(CancellationError()),
    ]

    private func failed(_ status: HTTPStatus, _ headers: HTTPFields = [:], _ body: String = "") -> RequestError {
        let head = ResponseHead(status: status, headers: headers, url: url("https://h.test/x"))
        return .unexpectedStatusCode(.init(response: FailedResponse(head: head, body: Data(body.utf8))))
    }

    @Test("Every kind can be made without a payload, has words for a person and for the log", arguments: all)
    func defaults(error: RequestError) {
        #expect(!error.customMessage.isEmpty && error.customMessage.hasSuffix(".") || error.customMessage.hasSuffix("?"))
        #expect(error.description.hasPrefix(error.caseName))
        #expect(error.debugDescription == error.description)
        #expect(error.statusCode == nil && error.response == nil && error.problem == nil && error.attempts.isEmpty)
    }

    @Test("A pattern needs no payload, and a test can make the error")
    func patterns() {
        func outcome(_ result: Result<Int, RequestError>) -> String {
            switch result {
            case .success: "shown"
            case .failure(.unauthorized): "sign in"
            case .failure(.decode(let details)): details.codingPath
            case .failure(let error): error.customMessage
            }
        }
        #expect(outcome(.failure(.unauthorized())) == "sign in")
        #expect(outcome(.success(1)) == "shown")
        #expect(outcome(.failure(.decode(.init(.init(codingPath: "a.b"))))) == "a.b")
        #expect(outcome(.failure(.timedOut())) == "The server took too long to answer.")
    }

    @Test("Result.get() throws the error with its type")
    func typedThrows() {
        do throws(RequestError) {
            _ = try Result<Int, RequestError>.failure(.cancelled()).get()
        } catch {
            #expect(error.isCancellation)
        }
    }

    @Test("An error is one pointer large")
    func size() {
        #expect(MemoryLayout<RequestError>.size <= 2 * MemoryLayout<Int>.size + 1)
        #expect(MemoryLayout<RequestError.Details<RequestError.Decode>>.size == MemoryLayout<Int>.size)
    }

    @Test(
        "What may succeed a little later",
        arguments: [
            (.connection(), true), (.connection(.init(.init(kind: .refused))), true), (.connection(.init(.init(kind: .stale))), true),
            (.connection(.init(.init(kind: .tls))), false), (.connection(.init(.init(kind: .malformed))), false), (.timedOut(), true),
            (.timedOut(.init(.init(limit: .deadline))), false), (.rejected(), true), (.cancelled(), false), (.decode(), false),
            (.unauthorized(), false), (.unexpectedStatusCode(), false), (.invalidURL(), false), (.responseTooLarge(), false),
        ] as [(RequestError, Bool)])
    func retryable(error: RequestError, expected: Bool) {
        #expect(error.isRetryable == expected)
    }

    @Test("Statuses that may pass", arguments: 400..<600)
    func retryableStatuses(code: Int) {
        #expect(failed(HTTPStatus(code)).isRetryable == [408, 425, 429, 500, 502, 503, 504].contains(code))
    }

    @Test("Cancellation is known, also another library's")
    func cancellation() {
        #expect(RequestError.cancelled().isCancellation)
        #expect(RequestError.interceptor(CancellationError()).isCancellation)
        #expect(!RequestError.timedOut().isCancellation)
    }

    @Test("What a server says of a problem is read (RFC 9457)")
    func problem() throws {
        let body =
            #"{"type":"https://h.test/out-of-credit","title":"No credit","status":403,"detail":"Your balance is 30.","instance":"/a/1","x":[]}"#
        let error = failed(403, ["Content-Type": "application/problem+json; charset=utf-8"], body)
        let problem = try #require(error.problem)
        #expect(problem.type == "https://h.test/out-of-credit" && problem.title == "No credit" && problem.status == 403)
        #expect(problem.detail == "Your balance is 30." && problem.instance == "/a/1")
        #expect(error.customMessage == "Your balance is 30.")
        #expect(error.statusCode == 403)
    }

    @Test(
        "A problem's odd members are passed over, and our own sentence stands where it says nothing",
        arguments: [
            ("{}", "You are not allowed to see this."), (#"{"title":"No credit"}"#, "No credit"),
            (#"{"title":"No credit","detail":""}"#, "No credit"),
            (#"{"title":7,"detail":[],"type":null,"status":"403"}"#, "You are not allowed to see this."),
            ("[]", "You are not allowed to see this."), ("<html>", "You are not allowed to see this."),
            ("", "You are not allowed to see this."),
        ])
    func oddProblems(body: String, message: String) {
        let error = failed(403, ["Content-Type": "application/problem+json"], body)
        #expect(error.customMessage == message)
        #expect(error.problem?.type ?? "about:blank" == "about:blank")
    }

    @Test("Another type of body is no problem")
    func noProblem() {
        #expect(failed(400, ["Content-Type": "application/json"], #"{"title":"x"}"#).problem == nil)
        #expect(failed(400, [:], #"{"title":"x"}"#).problem == nil)
    }

    @Test("A person's sentence has no code and no URL", arguments: [400, 403, 404, 408, 410, 418, 429, 500, 503, 504])
    func messages(code: Int) {
        let message = failed(HTTPStatus(code)).customMessage
        #expect(!message.contains("\(code)") && !message.contains("://"))
    }

    @Test("A description says kind, request, status and reason")
    func description() {
        var request = HTTPRequest(url: url("https://h.test/a?b"), method: .post)
        request.options.name = "create"
        let error = RequestError.decode(.init(.init(codingPath: "a[0]", expectedType: "Int", excerpt: "\"x\""), reason: "not a number"))
            .retold {
                $0.add(request)
                $0.response = FailedResponse(head: ResponseHead(status: 201, url: request.url))
            }
        #expect(
            error.description == "decode at a[0] expecting Int: create, POST https://h.test/a?b → 201 Created: not a number, near: \"x\"")
        let timeout = RequestError.timedOut(.init(.init(limit: .attempt, after: .seconds(30)), reason: "silence"))
        #expect(timeout.description == "timedOut (attempt of 30.0 seconds): silence")
    }

    @Test("A story is added to, not overwritten")
    func retold() {
        let first = HTTPRequest(url: url("https://h.test/1"))
        let second = HTTPRequest(url: url("https://h.test/2"), method: .post)
        let error = RequestError.connection(.init(.init(kind: .reset), reason: "r")).retold { $0.add(first) }.retold { $0.add(second) }
        guard case .connection(let details) = error else { return #expect(Bool(false), "the kind stays") }
        #expect(details.kind == .reset && details.reason == "r" && details.url == first.url && details.facts.kind == .reset)
    }

    @Test("No secret is shown by a description, a reflection, a dump or a message", arguments: all)
    func secrets(error: RequestError) throws {
        var request = HTTPRequest(
            url: url("https://h.test/k3y%2Fx?key=k3y%2fx"), headers: ["Authorization": "Bearer t0ken-value", "X-Key": .secret("f1eld")])
        request.context.secrets.insert("k3y/x")
        let head = ResponseHead(
            status: 400, headers: ["Content-Type": "application/problem+json", "Set-Cookie": "a=c00kie"], url: request.url)
        let retold = error.retold {
            $0.add(request)
            $0.reason = "sent t0ken-value and f1eld to k3y/x"
            $0.response = FailedResponse(head: head, body: Data(#"{"detail":"The key k3y/x is bad."}"#.utf8))
        }
        var shown = everythingShown(of: retold) + retold.customMessage
        if case .decode(let details) = retold { shown += everythingShown(of: details) }
        for secret in ["k3y", "t0ken", "f1eld", "c00kie"] { #expect(!shown.contains(secret)) }
        if case .interceptor = retold { return }
        #expect(shown.contains("***"))
    }

    @Test("Of another type's error only the type is shown, and the case: its text may quote what it likes")
    func foreign() {
        enum Plain: Error { case offline }
        enum Telling: Error { case refused(key: String) }
        enum Speaking: Error, CustomStringConvertible {
            case one
            var description: String { "hunter22" }
        }
        struct Bag: Error { let key = "hunter22" }
        let shown: [(any Error, String)] = [
            (Plain.offline, "interceptor: Plain.offline"), (Telling.refused(key: "hunter22"), "interceptor: Telling.refused"),
            (Speaking.one, "interceptor: Speaking"), (Bag(), "interceptor: Bag"), (CancellationError(), "interceptor: CancellationError"),
            (RequestError.unauthorized(), "interceptor: unauthorized"),
        ]
        for (error, text) in shown {
            #expect(RequestError.interceptor(error).description == text)
            #expect(!everythingShown(of: RequestError.interceptor(error)).contains("hunter22"))
        }
    }

    @Test("Excerpts and locations are masked with the rest")
    func facts() {
        let request = HTTPRequest(url: url("https://h.test"), headers: ["X-Key": .secret("hunter22")])
        let errors: [RequestError] = [
            .decode(.init(.init(codingPath: "a", expectedType: "Int", excerpt: "hunter22"))),
            .stream(.init(.init(position: 1, excerpt: "hunter22"))), .redirect(.init(.init(fault: .location, location: "/?k=hunter22"))),
        ]
        for error in errors { #expect(!everythingShown(of: error.retold { $0.add(request) }).contains("hunter22")) }
    }

    @Test("When to come back is said by a limit, by the server, or by nobody")
    func retryAfter() {
        let now = Date(timeIntervalSince1970: 784_111_777)
        func answered(_ status: HTTPStatus, _ fields: HTTPFields) -> RequestError {
            let head = ResponseHead(status: status, headers: fields, url: url("https://a.test"))
            return .unexpectedStatusCode(.init(response: FailedResponse(head: head)))
        }
        #expect(RequestError.rejected(.init(.init(retryAfter: .seconds(4)))).retryAfter == .seconds(4))
        #expect(RequestError.rejected().retryAfter == nil)
        #expect(answered(503, ["Retry-After": "120"]).retryAfter == .seconds(120))
        #expect(answered(429, ["Retry-After": "Sun, 06 Nov 1994 08:50:37 GMT"]).retryAfter(now: now) == .seconds(60))
        #expect(answered(429, ["Retry-After": "soon"]).retryAfter == nil)
        #expect(RequestError.cancelled().retryAfter == nil)
    }

    @Test("What a server says in a form of its own is read as a model, and what isn't that says where")
    func decoded() throws {
        struct Said: Decodable, Equatable { var code: Int }
        let head = ResponseHead(status: 422, headers: ["Content-Type": "application/json"], url: url("https://a.test"))
        #expect(try FailedResponse(head: head, body: Data(#"{"code": 7}"#.utf8)).decoded(as: Said.self) == Said(code: 7))
        #expect(try FailedResponse(head: head, body: Data("no".utf8)).decoded(as: String.self) == "no")
        for body in [#"{"code": "7"}"#, "", "<html>"] {
            let error = failure { () throws(RequestError) in try FailedResponse(head: head, body: Data(body.utf8)).decoded(as: Said.self) }
            guard case .decode = error else { return #expect(Bool(false)) }
        }
    }
}
