#if canImport(CCurl)
import CCurl
import Foundation
import Testing

@testable import NetworkKit

@Suite("What a sending without an answer means")
struct SendingEndTests {
    private func request(_ method: HTTPMethod, _ body: RequestBody? = nil) throws -> HTTPRequest {
        HTTPRequest(url: try #require(URL(string: "http://h/")), method: method, body: body)
    }

    private func told(_ end: SendingEnd, _ method: HTTPMethod = .get, _ body: RequestBody? = nil) throws -> String {
        switch end.meaning(for: try request(method, body)) {
        case .sendAgain: "again"
        case .asSaid: "as said"
        case .failed(let error): "\(error.connectionKind.map { "\($0)" } ?? error.caseName)"
        }
    }

    /// A stream that is read once.
    private var once: RequestBody { .stream(AsyncStream<Data> { $0.finish() }) }

    @Test(
        "A kept connection that dies before it answers sends again what may be sent twice",
        arguments: [
            NK_E_GOT_NOTHING, NK_E_SEND_ERROR, NK_E_RECV_ERROR, NK_E_PARTIAL_FILE, NK_E_HTTP2, NK_E_OK, NK_E_UNSUPPORTED_PROTOCOL,
            NK_E_WEIRD_SERVER_REPLY,
        ])
    func dead(code: Int) throws {
        let end = SendingEnd(code: code)
        #expect(try told(end) == "again" && told(end, .put, .data(Data())) == "again")
        #expect(try told(end, .post) == "stale" && told(end, .put, once) == "stale")
        #expect(try told(SendingEnd(code: code, isResend: true)) == "stale")
        #expect(try told(SendingEnd(code: code, isReused: false)) == "as said")
        #expect(try told(SendingEnd(code: code, hasAnswerBegun: true)) == "as said")
    }

    @Test("libcurl's own second try tells of the death, whatever its code", arguments: [NK_E_COULDNT_CONNECT, NK_E_SEND_FAIL_REWIND])
    func secondTry(code: Int) throws {
        #expect(try told(SendingEnd(code: code, sends: 2, isReused: false)) == "again")
        #expect(try told(SendingEnd(code: code, sends: 2, isReused: false), .post) == "stale")
    }

    @Test("A request that went out before connecting failed may have run", arguments: [NK_E_COULDNT_CONNECT, NK_E_SSL_CONNECT_ERROR])
    func reconnecting(code: Int) throws {
        #expect(try told(SendingEnd(code: code, sends: 1, isReused: false), .post) == "stale")
        #expect(try told(SendingEnd(code: code, sends: 0, isReused: false), .post) == "as said")
    }

    @Test("What the server did not process goes again, whatever its method, and once")
    func unprocessed() throws {
        let later = HTTP2GoAway(lastStream: 3, error: 0)
        for end in [
            SendingEnd(code: NK_E_HTTP2_STREAM, isReused: false, isRefused: true),
            SendingEnd(code: NK_E_HTTP2, isReused: false, stream: 5, goAway: later),
        ] {
            #expect(try told(end, .post) == "again" && told(end, .post, .data(Data([1]))) == "again")
            #expect(try told(end, .post, once) != "again")
            var resend = end
            resend.isResend = true
            #expect(try told(resend, .post) != "again")
            var answered = end
            answered.hasAnswerBegun = true
            #expect(try told(answered, .post) != "again")
        }
        #expect(try told(SendingEnd(code: NK_E_PARTIAL_FILE, isReused: false, stream: 3, goAway: later), .post) == "as said")
    }

    @Test("A connection that the server gave up with an error fails with that error, where the request may have run")
    func givenUp() throws {
        let end = SendingEnd(code: NK_E_HTTP2, isReused: false, stream: 3, goAway: HTTP2GoAway(lastStream: 3, error: 11))
        guard case .failed(let error) = end.meaning(for: try request(.post)) else { return #expect(Bool(false), "expected a failure") }
        #expect("\(error)".contains("ENHANCE_YOUR_CALM"))
    }

    @Test("A stream that was closed without a word fails as that")
    func closed() throws {
        #expect(try told(SendingEnd(code: NK_E_HTTP2_STREAM, isReused: false, isStreamClosed: true), .post) != "as said")
    }
}
#endif
