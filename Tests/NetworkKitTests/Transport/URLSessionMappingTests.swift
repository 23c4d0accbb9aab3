#if URLSession
import Foundation
import FoundationNetworking
import Testing

@testable import NetworkKit

@Suite("URLSessionTransport: what the platform says of failures")
struct URLSessionMappingTests {
    private func kind(_ error: any Error, isHeadThere: Bool = false, isReused: Bool = false) -> RequestError.Connection.Kind? {
        RequestError(error, isHeadThere: isHeadThere, isReused: isReused).connectionKind
    }

    @Test(
        "Errors of the system are failures of the connection",
        arguments: [
            (ECONNRESET, .reset), (ECONNABORTED, .reset), (EPIPE, .reset), (ENOTCONN, .reset), (ECONNREFUSED, .refused),
            (ENETUNREACH, .other), (EPROTO, .other),
        ] as [(Int32, RequestError.Connection.Kind)])
    func system(code: Int32, expected: RequestError.Connection.Kind) {
        #expect(kind(NSError(domain: NSPOSIXErrorDomain, code: Int(code))) == expected)
        #expect(POSIXErrorCode(rawValue: code).map { kind(POSIXError($0)) } == expected)
    }

    @Test("A system that waited for too long is a timeout")
    func timedOut() {
        guard case .timedOut = RequestError(POSIXError(.ETIMEDOUT), isHeadThere: false) else { return #expect(Bool(false)) }
    }

    @Test("Failures of proxies are told by their numbers, which only that part of the platform has", arguments: [306, 307, 310, 311, 120])
    func proxies(code: Int) {
        #expect(kind(NSError(domain: "kCFErrorDomainCFNetwork", code: code)) == .proxy)
        guard case .unknown = RequestError(NSError(domain: "elsewhere", code: code), isHeadThere: false) else {
            return #expect(Bool(false))
        }
    }

    @Test("A kept connection that dies before it has answered is stale; any other that dies is reset")
    func stale() {
        for error in [URLError(.networkConnectionLost), POSIXError(.ECONNRESET), POSIXError(.EPIPE)] as [any Error] {
            #expect(kind(error, isReused: true) == .stale)
            #expect(kind(error, isHeadThere: true, isReused: true) == .reset)
            #expect(kind(error) == .reset)
        }
        #expect(kind(URLError(.cannotConnectToHost), isReused: true) == .refused)
    }

    @Test("An answer of several parts is named where its second begins")
    func mixedReplace() throws {
        let plain = ["Content-Type": "text/plain"]
        let mixed = ["Content-Type": "Multipart/X-Mixed-Replace; boundary=frame"]
        func anew(_ fields: [String: String]) throws -> String {
            let address = url("http://a.test")
            let response = try #require(HTTPURLResponse(url: address, statusCode: 200, httpVersion: "HTTP/1.1", headerFields: fields))
            return try PlatformHead(response, of: HTTPRequest(url: address)).anew
        }
        #expect(try anew(mixed).contains("multipart/x-mixed-replace"))
        #expect(try anew(plain).contains("began the answer anew"))
    }
}
#endif
