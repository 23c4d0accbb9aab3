#if canImport(Glibc) || canImport(Musl)
import Testing

@testable import NetworkKit

@Suite("What libcurl says of HTTP/2")
struct HTTP2RemarkTests {
    private func remark(_ text: String) -> HTTP2Remark? { Array(text.utf8).withUnsafeBytes { HTTP2Remark($0) } }

    @Test("Streams, refusals and GOAWAY are read in the words of several versions")
    func words() {
        #expect(remark("Using Stream ID: 7 (easy handle 0x5581)\n") == .stream(7))
        #expect(remark("[HTTP/2] [9] OPENED stream for https://localhost/\n") == .stream(9))
        #expect(remark("REFUSED_STREAM, retrying a fresh connect\n") == .refused)
        let goAway = HTTP2Remark.goAway(HTTP2GoAway(lastStream: 2_147_483_647, error: 11))
        #expect(remark("recveived GOAWAY, error=11, last_stream=2147483647\n") == goAway)
        #expect(remark("received GOAWAY, error=11, last_stream=2147483647\n") == goAway)
    }

    @Test(
        "Other words, and ones that break off, say nothing",
        arguments: [
            "", "R", "REFUSED", "Using Stream ID: ", "Using Stream ID: x", "received GOAWAY", "received GOAWAY, error=1",
            "[HTTP/2] [9] hello",
            "[HTTP/2] [x] OPENED stream for https://localhost/", "Using HTTP2, server supports multiplexing",
            "received GOAWAY, error=99999999999, last_stream=1", "< X: received GOAWAY, error=1, last_stream=1",
        ])
    func others(_ text: String) {
        #expect(remark(text) == nil)
    }

    @Test("A server may first announce, and then say how far it got; an error isn't taken back")
    func merging() {
        let announced = HTTP2GoAway(lastStream: 2_147_483_647, error: 0)
        #expect(announced.merged(with: HTTP2GoAway(lastStream: 5, error: 0)) == HTTP2GoAway(lastStream: 5, error: 0))
        #expect(HTTP2GoAway(lastStream: 5, error: 2).merged(with: announced) == HTTP2GoAway(lastStream: 5, error: 2))
        #expect(
            HTTP2GoAway(lastStream: 1, error: 11).name == "ENHANCE_YOUR_CALM" && HTTP2GoAway(lastStream: 1, error: 99).name == "error 99")
    }

    @Test("Connections are told apart by both ports, where they have any, and by their addresses")
    func ends() {
        func ends(_ address: String) -> ConnectionEnds? {
            address.withCString { ConnectionEnds(local: 40_000, remote: 443, addresses: [$0, nil]) }
        }
        #expect(ends("192.0.2.1") == ends("192.0.2.1") && ends("192.0.2.1") != ends("192.0.2.11"))
        #expect(ConnectionEnds(local: 40_000, remote: 443) != ConnectionEnds(local: 40_000, remote: 444))
        #expect(ConnectionEnds(local: 0, remote: 443) == nil && ConnectionEnds(local: 40_000, remote: -1) == nil)
    }
}
#endif
