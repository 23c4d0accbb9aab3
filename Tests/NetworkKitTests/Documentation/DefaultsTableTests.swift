import Foundation
import NetworkKitTesting
import Testing

@testable import NetworkKit

@Suite("README.md: tables")
struct DefaultsTableTests {
    /// What the code says, under the names that the table has.
    private static var defaults: [String: String] {
        let options = CurlTransport.Options()
        return [
            "Connecting, and each silence of the server": seconds(RequestOptions.Standard.timeout),
            "A whole call that gives a value": minutes(RequestOptions.Standard.deadline),
            "A whole call that gives a stream": "no limit",
            "Redirects in a row": "\(RedirectPolicy.standard.limit)",
            "Redirects from https to http": RedirectPolicy.standard.allowsInsecure ? "followed" : "refused",
            "Body that is collected": size(RequestOptions.Standard.maximumBodySize),
            "Body that is streamed": "no limit",
            "Body that is kept with an error": size(FailedResponse.bodyLimit),
            "Connections to one origin": "\(options.connectionsPerHost)",
            "Connections in all": "\(options.connections)",
            "Unused connection is kept for": seconds(options.idleLifetime),
            "HTTP/2 with TLS servers": options.offersHTTP2 ? "offered" : "not offered",
            "Proxy": options.proxy == .environment ? "the environment's" : "none",
            "Unix socket, addresses for names": options.unixSocket == nil && options.addresses.isEmpty ? "none" : "some",
            "Lowest version of TLS": options.tls.minimumVersion == .v1_2 ? "1.2" : "1.3",
            "Certificates": "verified",
            "Pinned keys, client certificate": options.tls.pins == nil && options.tls.clientCertificate == nil ? "none" : "some",
            "`User-Agent`": HTTPFields.standard[.userAgent] ?? "none",
            "Log": "none; with `.logging()` a line a call on standard error",
            "Traces, observers, recording": "none",
            "Body that a recorder keeps": size(TrafficRecorder().bodyLimit),
            "A body waits for the server to ask for it": RequestOptions().expectContinueTimeout == nil ? "no" : "yes",
            "Compression of requests": "none; with `.requestCompression()` bodies over "
                + "\(RequestCompressionInterceptor.requestCompression().limit) bytes",
            "Cache, cookies, credentials, retries, limits": "none",
        ].merging(interceptors) { first, _ in first }
    }

    /// The same for interceptors that are made without saying more.
    private static var interceptors: [String: String] {
        let (retry, breaker, events) = (RetryPolicy.standard, CircuitBreakerPolicy(), EventStreamPolicy.standard)
        let (download, resumption) = (DownloadOptions(), ResumptionPolicy.standard)
        let request = HTTPRequest(url: url("https://api.example.com"))
        let queues = [
            ConcurrencyLimitInterceptor.concurrencyLimit(total: 1).describe(request),
            RateLimitInterceptor.rateLimit(1, per: .seconds(1)).describe(request),
        ]
        return [
            "Attempts with `.retry()`": "\(retry.maximumAttempts)",
            "Statuses that `.retry()` tries again": retry.statuses.map(\.code).sorted().map { "\($0)" }.joined(separator: ", "),
            "Wait before the next attempt":
                "at most \(milliseconds(retry.backoff.base)), \(Int(retry.backoff.factor)) times as long each time, up to "
                + "\(seconds(retry.backoff.cap)); \(retry.backoff.jitter == .full ? "any part of it by chance" : "always all of it")",
            "Longest wait that a server may ask for": seconds(retry.longestServerWait),
            "What retries and hedges may add": RetryBudget().words,
            "`Idempotency-Key` made by the library": retry.makesIdempotencyKeys ? "yes" : "no",
            "A token is renewed before its end by": seconds(RefreshableToken.standardWindow),
            "A refresh may take": seconds(RefreshableToken.standardTimeLimit),
            "Breaker opens":
                "when \(Int(breaker.failureRatio * 100)) % of at least \(breaker.minimumRequests) requests in \(seconds(breaker.window)) "
                + "fail, for \(seconds(breaker.openFor))",
            "Requests that may wait for a limit": queues.allSatisfy { $0?.contains("up to 10000 wait") == true } ? "10000" : "\(queues)",
            "Fields in which coalesced requests may differ": CoalescingInterceptor.coalescing().ignoring.map { "\($0)" }.joined(
                separator: ", "),
            "Cookies of one domain, in all": "\(CookieStore.domainLimit), \(CookieStore.limit)",
            "Longest life of a cookie": "\(Int(CookieRules.longestLife / 86_400)) days",
            "Cache in memory": size(HTTPCache.standardMemoryCapacity),
            "Cache on disk": size(HTTPCache.standardDiskCapacity),
            "Line of a stream": size(LineSplitter.standardLimit),
            "Wait before an event stream reconnects": "\(seconds(events.delay)), up to \(seconds(events.maximumDelay))",
            "A whole download": "no limit",
            "File that is there already": download.existingFile == .fail ? "the download fails" : "is replaced",
            "Attempts of a download without anything new": "\(resumption.maximumAttempts)",
            "Wait before a download goes on":
                resumption.backoff == retry.backoff && resumption.longestServerWait == retry.longestServerWait
                ? "as `.retry()`" : "another",
            "What a failed download leaves": resumption.keepsPartialFile ? "is kept to go on with" : "is removed",
            "Updates of progress in a second": "\(ProgressMonitor.standardRate)",
        ]
    }

    @Test("The table of defaults says what the code says, row by row")
    func defaults() throws {
        let rows = RepositoryText.table(under: "Defaults", in: try RepositoryText.file("README.md"))
        let table = Dictionary(rows.map { ($0[0], $0[1]) }) { first, _ in first }
        #expect(rows.count == table.count)
        #expect(table == Self.defaults)
    }

    #if URLSession
    @Test("Both transports connect to one origin as often")
    func connections() {
        #expect(URLSessionTransport.Options().connectionsPerHost == CurlTransport.Options().connectionsPerHost)
        #expect(URLSessionTransport.Options().tls == CurlTransport.Options().tls)
    }
    #endif

    @Test("The table of errors has every case")
    func errors() throws {
        let rows = RepositoryText.table(under: "Errors", in: try RepositoryText.file("README.md"))
        let source = try RepositoryText.file("Sources/NetworkKit/HTTP/RequestError.swift")
        let cases = source.matches(of: /\n    case (\w+)\(/).map { "`\($0.1)`" }
        #expect(cases.count >= 19)
        #expect(rows.map { $0[0] }.sorted() == cases.sorted())
    }

    @Test("A call that gives a value is bounded as the table says, one that gives a stream isn't")
    func bounds() async throws {
        let transport = StubTransport(redirects: [:])
        let client = NetworkClient(session: HTTPSession(transport: transport, defaults: .init(deadline: .seconds(1), maximumBodySize: 1)))
        _ = await NetworkClient(session: HTTPSession(transport: transport)).data(for: SampleEndpoint())
        _ = await client.response(for: SampleEndpoint())
        let options = transport.requests.map(\.options)
        #expect(options.map(\.timeout) == [.seconds(30), .seconds(30)])
        #expect(options.map(\.deadline) == [.seconds(300), nil])
        #expect(options.map(\.maximumBodySize) == [64 << 20, nil])
    }

    @Test("Without interceptors nothing is cached, no cookie kept, nothing tried again; the User-Agent is as the session has it")
    func nothingElse() async throws {
        try await LoopbackServer.with { routes in
            routes.get("/good") { _ in .text("x", headers: ["Cache-Control": "max-age=600", "Set-Cookie": "a=1"]) }
            routes.get("/busy") { _ in .text("x", status: 503, headers: ["Retry-After": "0"]) }
        } perform: { server in
            let transport = CurlTransport(.init(proxy: .none))
            for headers in [HTTPFields.standard, ["User-Agent": "Mine/2"], [:]] as [HTTPFields] {
                _ = await NetworkClient(session: HTTPSession(transport: transport, headers: headers)).data(for: server.call("good"))
            }
            _ = await NetworkClient(session: HTTPSession(transport: transport)).data(for: server.call("busy"))
            #expect(server.requests.map(\.path) == ["/good", "/good", "/good", "/busy"])
            #expect(server.requests.allSatisfy { !$0.headers.contains(.cookie) })
            #expect(server.requests.prefix(3).map { $0.headers[.userAgent] } == [HTTPFields.standard[.userAgent], "Mine/2", nil])
        }
    }

    private static func seconds(_ duration: Duration) -> String { "\(duration.components.seconds) s" }
    private static func milliseconds(_ duration: Duration) -> String { "\(duration.components.attoseconds / 1_000_000_000_000_000) ms" }
    private static func minutes(_ duration: Duration) -> String { "\(duration.components.seconds / 60) min" }
    private static func size(_ bytes: Int) -> String { bytes % (1 << 20) == 0 ? "\(bytes >> 20) MiB" : "\(bytes >> 10) KiB" }
}
