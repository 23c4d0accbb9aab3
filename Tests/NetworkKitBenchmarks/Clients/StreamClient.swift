import NetworkKit
import PlatformBase

/// How a body is read piece by piece.
enum StreamCase: Sendable {
    /// The splitter alone finds the ends of lines of 1 KiB.
    case splitLines
    /// Lines of 1 KiB as text, through the client.
    case lines
    /// The parser of server-sent events alone, on what a feed sends: IDs, types, comments, data of one line and of two.
    case parseEvents
    /// The parser alone, on events that are one short line of data.
    case parseSmallEvents
    /// The feed's events through the client.
    case events
    /// Models of a line of JSON each, through the client.
    case jsonLines

    /// What is repeated until there is a body.
    fileprivate var sample: String {
        switch self {
        case .splitLines, .lines: String(repeating: "x", count: 1023) + "\n"
        case .parseEvents, .events: Self.feed
        case .parseSmallEvents: "data: {\"id\":1234567}\n\n"
        case .jsonLines: "{\"id\":1234567,\"symbol\":\"ACME\",\"price\":101.26,\"time\":\"2026-12-01T09:30:00.123Z\"}\n"
        }
    }

    /// How many lines, events or models are in a body.
    var itemsPerBody: Int { repetitions * (sample == Self.feed ? 3 : 1) }

    fileprivate var repetitions: Int { (4 << 20) / sample.utf8.count }

    private static let feed = """
        id: 18273645
        event: price
        data: {"symbol":"ACME","bid":101.25,"ask":101.27,"time":"2026-12-01T09:30:00.123Z","size":[100,200,300]}

        : ping

        id: 18273646
        event: trade
        data: {"symbol":"ACME","price":101.26,
        data: "time":"2026-12-01T09:30:00.456Z","venue":"X","note":"café 豆腐"}

        data: {"choices":[{"delta":{"content":" the"},"index":0,"finish_reason":null}],"model":"m-1"}


        """
}

/// NetworkKit's streams over a body of some 4 MiB that comes in pieces of 16 KiB, as libcurl gives them. A request is one body.
struct StreamClient: BenchmarkClient {
    let name = "networkkit"
    private let kind: StreamCase
    private let chunks: [Data]
    private let size: Int
    private let client: NetworkClient

    init(_ kind: StreamCase) {
        self.kind = kind
        let sample = Data(kind.sample.utf8)
        var body = Data()
        for _ in 0..<kind.repetitions { body.append(sample) }
        size = body.count
        let whole = body
        chunks = stride(from: 0, to: size, by: 16 << 10).map { Data(whole[$0..<min($0 + 16 << 10, whole.count)]) }
        let isEvents = kind == .events
        client = NetworkClient(session: HTTPSession(transport: Stub(chunks: chunks, type: isEvents ? "text/event-stream" : "text/plain")))
    }

    func run(_ load: Load, within bounds: Bounds) async throws -> Round {
        let expected = kind.itemsPerBody
        return try await Tickets.run(bounds) {
            let count = try await items()
            guard count == expected else { throw Unavailable("\(count) items where there are \(expected)") }
            return size
        }
    }

    /// Reads the body; gives how many items it had.
    private func items() async throws -> Int {
        var count = 0
        switch kind {
        case .splitLines:
            var splitter = LineSplitter()
            for chunk in chunks {
                splitter.append(chunk)
                while try splitter.next({ $0.count }) != nil { count += 1 }
            }
        case .parseEvents, .parseSmallEvents:
            var parser = ServerSentEventParser()
            for chunk in chunks {
                parser.append(chunk)
                while try parser.next() != nil { count += 1 }
            }
        case .lines: for try await _ in client.lines(for: Stubbed()) { count += 1 }
        case .events: for try await _ in client.events(for: Stubbed(), policy: .once) { count += 1 }
        case .jsonLines: for try await _ in client.jsonLines(for: Stubbed(), as: Trade.self) { count += 1 }
        }
        return count
    }

    private struct Trade: Decodable, Sendable {
        let id: Int
        let symbol: String
        let price: Double
        let time: String
    }

    private struct Stub: StockTransport {
        let chunks: [Data]
        let type: String

        func send(_ request: HTTPRequest) async throws(RequestError) -> HTTPResponse {
            HTTPResponse(
                head: ResponseHead(status: 200, headers: [.contentType: type], url: request.url), body: ResponseBody(Pieces(pieces: chunks))
            )
        }
    }

    /// The pieces, one after the other.
    private struct Pieces: AsyncSequence, Sendable {
        typealias Element = Data
        typealias Failure = RequestError
        let pieces: [Data]

        func makeAsyncIterator() -> AsyncIterator { AsyncIterator(pieces: pieces[...]) }

        struct AsyncIterator: AsyncIteratorProtocol {
            var pieces: ArraySlice<Data>

            mutating func next() async throws(RequestError) -> Data? { pieces.popFirst() }
            mutating func next(isolation: isolated (any Actor)?) async throws(RequestError) -> Data? { pieces.popFirst() }
        }
    }

    private struct Stubbed: Endpoint {
        let baseURL = Server.url("http", 80, "")
        var path: Path { "stream" }
    }
}
