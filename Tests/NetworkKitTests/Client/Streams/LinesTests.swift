import Foundation
import NetworkKitTesting
import Testing

@testable import NetworkKit

@Suite("Lines and values of an answer, as they come")
struct LinesTests {
    private struct Trade: Codable, Sendable, Equatable { var id: Int }

    private func client(_ answer: StubAnswer) -> NetworkClient { NetworkClient(session: .stubbed(answer, clock: TestClock())) }

    private func all<Lines: AsyncSequence>(_ lines: Lines) async -> ([Lines.Element], RequestError?) where Lines.Failure == RequestError {
        var result: [Lines.Element] = []
        do throws(RequestError) {
            for try await line in lines { result.append(line) }
        } catch {
            return (result, error)
        }
        return (result, nil)
    }

    @Test("Lines are text, blank ones kept, whole characters whatever the chunks")
    func lines() async {
        let bytes = Data("\u{FEFF}héllo\r\n\r\n豆腐\u{2028}x\rlast".utf8)
        for cut in Cuts.all(of: bytes) {
            let (lines, error) = await all(client(.chunks(cut)).lines(for: SampleEndpoint()))
            #expect(lines == ["héllo", "", "豆腐\u{2028}x", "last"])
            #expect(error == nil)
        }
    }

    @Test("A body that is at hand has lines too, and can be read once")
    func bodyLines() async {
        let body = ResponseBody(Data("a\nb".utf8))
        #expect(await all(body.lines).0 == ["a", "b"])
        guard case .stream? = await all(body.lines).1 else { return #expect(Bool(false), "read twice") }
    }

    @Test("A status that means failure ends the sequence before its first line")
    func status() async {
        let (lines, error) = await all(client(.text("no", status: 503)).lines(for: SampleEndpoint()))
        #expect(lines.isEmpty)
        #expect(error?.statusCode == 503)
        #expect(error?.response?.text == "no")
    }

    @Test("A body that breaks off fails, and the error knows the call")
    func brokenOff() async {
        let answer = StubAnswer.chunks(["a\nb", "c\nd\n"]).cut(afterBodyBytes: 5)
        let (lines, error) = await all(client(answer).lines(for: SampleEndpoint(path: "log")))
        #expect(lines == ["a", "bc"])
        guard case .connection(let details)? = error else { return #expect(Bool(false), "\(String(describing: error))") }
        #expect(details.kind == .truncated)
        #expect(details.url?.absoluteString == "https://api.example.com/log")
    }

    @Test("An endless line ends the sequence with its number")
    func endlessLine() async {
        let (lines, error) = await all(client(.chunks(["a\nbcd", "efg"])).lines(for: SampleEndpoint(), upTo: 4))
        #expect(lines == ["a"])
        guard case .stream(let details)? = error else { return #expect(Bool(false), "\(String(describing: error))") }
        #expect(details.position == 2)
        #expect(details.excerpt == "bcdefg")
    }

    @Test("Each line of JSON is a value; lines of white space are passed over")
    func jsonLines() async {
        let bytes = Data("\u{FEFF}{\"id\":1}\n\n \t\r\n{\"id\"\r:2}\r\n{\"id\":3}".utf8)
        for cut in Cuts.all(of: bytes) {
            let (trades, error) = await all(client(.chunks(cut)).jsonLines(for: SampleEndpoint(), as: Trade.self))
            #expect(trades == [1, 2, 3].map(Trade.init))
            #expect(error == nil)
        }
    }

    @Test("A bad line's number and text are in the error, and nothing comes after it")
    func badLine() async throws {
        let text = "{\"id\":1}\n\n{\"id\":\"x\"}\n{\"id\":3}\n"
        var values = client(.chunks([text])).jsonLines(for: SampleEndpoint(path: "trades"), as: Trade.self).makeAsyncIterator()
        #expect(try await values.next() == Trade(id: 1))
        let error = await #expect(throws: RequestError.self) { try await values.next() }
        guard case .decode(let details)? = error else { return #expect(Bool(false), "\(String(describing: error))") }
        #expect(details.line == 3)
        #expect(details.excerpt == "{\"id\":\"x\"}")
        #expect(details.codingPath == "id")
        #expect(details.url?.path == "/trades")
        #expect(try await values.next() == nil)
    }

    @Test("Accept asks for lines of JSON, unless the endpoint asks for something else")
    func accept() async {
        let stub = StubTransport(.text(""))
        let client = NetworkClient(session: HTTPSession(transport: stub))
        _ = await all(client.jsonLines(for: SampleEndpoint(), as: Trade.self))
        _ = await all(client.jsonLines(for: SampleEndpoint(headers: ["Accept": "a/b"]), as: Trade.self))
        _ = await all(client.lines(for: SampleEndpoint()))
        #expect(stub.requests.map { $0.headers[.accept] } == ["application/x-ndjson, application/jsonl, */*;q=0.5", "a/b", "*/*"])
    }

    @Test("Over a socket: a line is there before the next is sent, and leaving the loop ends the transfer")
    func socket() async throws {
        let (chunks, more) = AsyncStream.makeStream(of: Data.self)
        let server = try await LoopbackServer.start { $0.get("log") { _ in .stream(chunks) } }
        more.yield(Data("one\ntw".utf8))
        var lines = TestClient().lines(for: server.call("log")).makeAsyncIterator()
        #expect(try await lines.next() == "one")
        more.yield(Data("o\r\n".utf8))
        #expect(try await lines.next() == "two")
        more.finish()
        #expect(try await lines.next() == nil)
    }

    @Test("Cancelling the task ends a wait for a line at once")
    func cancel() async {
        let clock = TestClock()
        let stub = StubTransport(.chunks(["a\n", "b\n"]).pausing(.seconds(20)))
        let client = NetworkClient(session: HTTPSession(transport: stub, clock: clock))
        let task = Task { await all(client.lines(for: SampleEndpoint())) }
        await clock.sleepers([.seconds(20)])
        task.cancel()
        let (lines, error) = await task.value
        #expect(lines == ["a"])
        #expect(error?.isCancellation == true)
    }
}
