import PlatformBase

/// What a client is asked to do in a round.
enum Load: Sendable {
    /// Small GETs, so many in flight; 1 is one after another.
    case get(URL, inFlight: Int)
    /// Small GETs one after another, by a caller that runs on the transport's own thread.
    case getOnLoop(URL)
    /// Big GETs, read piece by piece.
    case stream(URL)
    /// Big GETs, taken as a whole.
    case buffer(URL)
    /// Large GETs to a file, each of so many bytes.
    case download(URL, Int)
    /// Big PUTs from memory.
    case upload(URL, Data)
    /// Big PUTs from a file.
    case uploadFile(URL, URL)
    /// GETs of JSON, decoded.
    case model(URL)
    /// Requests to a transport that answers by itself, through so many interceptors that do nothing.
    case stub(interceptors: Int)
    /// The same through a log, an observer and a tracer that throw away what they are given.
    case observed
    /// The same through what makes calls withstand failures, while nothing fails.
    case resilience
    /// Small GETs one after another, of what may be cached.
    case cached(URL, CacheCase)
    /// A body read piece by piece, without a network.
    case streamed(StreamCase)
    /// A program that makes one request and ends.
    case program(URL)
}

/// One row of the benchmark.
struct Scenario: Sendable {
    enum Kind: Sendable {
        case server
        case tlsServer
        case inProcess
    }

    let name: String
    var unit = "req/s"
    var kind = Kind.server
    /// The most requests of a round; time bounds it too.
    var requests = 50_000
    /// How many lines, events or models a request gives, where they are what is counted.
    var itemsPerRequest = 1
    let load: @Sendable (Server) -> Load

    var rate: (Round) -> Double {
        unit == "MB/s" ? \.megabytesPerSecond : { [itemsPerRequest] in $0.requestsPerSecond * Double(itemsPerRequest) }
    }

    static let bigSize = 64 << 20
    static let largeSize = 1 << 30

    static let all: [Scenario] = [
        Scenario(name: "sequential-1k") { .get($0.url("/1k"), inFlight: 1) },
        Scenario(name: "sequential-1k-on-loop") { .getOnLoop($0.url("/1k")) },
        Scenario(name: "concurrent-64-1k") { .get($0.url("/1k"), inFlight: 64) },
        Scenario(name: "concurrent-1000-1k") { .get($0.url("/1k"), inFlight: 1000) },
        Scenario(name: "stream-64m", unit: "MB/s", requests: 200) { .stream($0.url("/64m")) },
        Scenario(name: "buffer-64m", unit: "MB/s", requests: 100) { .buffer($0.url("/64m")) },
        Scenario(name: "upload-64m", unit: "MB/s", requests: 100) { .upload($0.url("/upload"), Data(count: bigSize)) },
        Scenario(name: "upload-1g", unit: "MB/s", requests: 10) { .uploadFile($0.url("/upload"), BigFile.url) },
        Scenario(name: "download-1g", unit: "MB/s", requests: 2) { .download($0.url("/1g"), largeSize) },
        Scenario(name: "typed-20k-json") { .model($0.url("/json")) },
        Scenario(name: "h2-concurrent-64-1k", kind: .tlsServer) { .get($0.secureURL("/1k"), inFlight: 64) },
        Scenario(name: "cache-memory-hit") { .cached($0.url("/cached"), .memoryHit) },
        Scenario(name: "cache-disk-hit") { .cached($0.url("/cached"), .diskHit) },
        Scenario(name: "cache-miss") { .cached($0.url("/cached"), .miss) },
        Scenario(name: "startup-one-get", requests: 40) { .program($0.url("/1k")) },
        Scenario(name: "split-lines", unit: "MB/s", kind: .inProcess, requests: 1000) { _ in .streamed(.splitLines) },
        Scenario(name: "lines", unit: "lines/s", kind: .inProcess, requests: 250, itemsPerRequest: StreamCase.lines.itemsPerBody) { _ in
            .streamed(.lines)
        },
        Scenario(name: "parse-events", unit: "MB/s", kind: .inProcess, requests: 1000) { _ in .streamed(.parseEvents) },
        Scenario(name: "parse-small-events", unit: "MB/s", kind: .inProcess, requests: 1000) { _ in .streamed(.parseSmallEvents) },
        Scenario(name: "events", unit: "MB/s", kind: .inProcess, requests: 1000) { _ in .streamed(.events) },
        Scenario(name: "json-lines", unit: "lines/s", kind: .inProcess, requests: 200, itemsPerRequest: StreamCase.jsonLines.itemsPerBody) {
            _ in
            .streamed(.jsonLines)
        },
        Scenario(name: "stub", kind: .inProcess) { _ in .stub(interceptors: 0) },
        Scenario(name: "stack-6", kind: .inProcess) { _ in .stub(interceptors: 6) },
        Scenario(name: "observed", kind: .inProcess) { _ in .observed },
        Scenario(name: "resilience", kind: .inProcess) { _ in .resilience },
    ]
}
