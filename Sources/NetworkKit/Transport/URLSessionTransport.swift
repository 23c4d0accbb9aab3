#if !canImport(CCurl) || URLSession
internal import Foundation
internal import PlatformBase

#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif

/// HTTP by the platform's `URLSession`: the default on Apple platforms.
///
/// Redirects, caching, cookies and credentials are the library's, and so is time; the platform connects, speaks TLS and HTTP, and
/// decodes content codings. What of an answer it doesn't tell is missing here too:
///
/// - Fields come in the order of their names, repeated ones joined. `Set-Cookie` is split again at each comma behind which a
///   name and `=` follow, so that a cookie whose value holds such a comma comes apart.
/// - Trailers don't come. Figures come at the end of the body, where the platform measures.
/// - Of `multipart/x-mixed-replace`, whose parts the platform gives as answers of their own, the first part comes; the second ends the
///   request with ``RequestError/connection(_:)``.
/// - Codings are decoded also when the caller asked for them itself.
/// - What is sent has fields of the platform's own, such as `Accept-Language`, where the request has none.
/// - A body stream goes out chunked, whatever length it promises. GET with a body is refused.
///
/// - Warning: Not for use on Linux, where it is built with the package trait `URLSession` for tests only. There any server can end
///   the process, by trailers behind a chunked body or by a `Content-Length` of 2^63-1. What isn't idempotent, and what has a body,
///   goes on a connection of its own, since on a kept one that is dead the platform would send it again or wait for ever.
///   A 401 that asks for Basic credentials is an answer only when its length is declared, and a redirect
///   without `Location` loses its body. Bodies are held in memory: those of requests that are streams, and those of answers whose
///   readers are slow. Use ``CurlTransport``.
public struct URLSessionTransport: StockTransport {
    /// How a transport connects.
    public struct Options: Sendable, Hashable {
        /// How TLS connections are made and trusted.
        public var tls: TLSOptions
        /// Connections to one host at once; further requests wait, first come, first served. Default: 64.
        public var connectionsPerHost: Int

        /// How a transport connects.
        public init(tls: TLSOptions = .init(), connectionsPerHost: Int = 64) {
            self.tls = tls
            self.connectionsPerHost = max(1, connectionsPerHost)
        }
    }

    static let shared = URLSessionTransport()

    /// A transport whose time is that of a test's clock.
    init(clock: any Clock<Duration>, connectionsPerHost: Int = 64) {
        link = URLSessionLink(.init(connectionsPerHost: connectionsPerHost), trust: ServerTrust(), clock: clock)
    }

    private let link: URLSessionLink

    /// A transport with connections of its own, and default options.
    public init() { link = URLSessionLink(.init(), trust: ServerTrust()) }

    /// A transport with connections of its own.
    ///
    /// - Throws: ``RequestError/connection(_:)`` of kind `tls` when a file isn't what it should be, a pin could never match, or the
    ///   platform can't honour an option: on Linux all of ``TLSOptions``, on Apple platforms a client certificate in PEM.
    public init(_ options: Options) throws(RequestError) {
        link = URLSessionLink(options, trust: try ServerTrust(options.tls))
    }

    /// Sends a request: see ``Transport/send(_:)``.
    public func send(_ request: HTTPRequest) async throws(RequestError) -> HTTPResponse {
        let request = try request.checked()
        if request.method.name.uppercased() == "GET", let body = request.body, body.length != 0 {
            throw RequestError.encode(.init(.init(part: .body), reason: "URLSession sends no GET with a body; QUERY or POST can have one"))
                .retold { $0.add(request) }
        }
        if let body = request.body { try await body.checkFiles() }
        let transfer = try Transfer(request, driver: URLSessionJob(request, link))
        let received = try await transfer.start()
        return HTTPResponse(head: received.head, body: ResponseBody(transfer), metrics: received.metrics)
    }
}

/// The platform's session, and the requests that are on their way in it. It goes with the last copy of its transport and the last
/// request.
final class URLSessionLink: Sendable {
    private let trust: ServerTrust
    private let settings: URLSessionConfiguration
    private let session: URLSession
    private let events: URLSessionEvents
    /// Time as it passes while the machine is awake: who sleeps isn't waiting for a server.
    let clock: CallClock
    private let alarm: Alarm
    private let places: Lock<URLSessionPlaces<URLSessionJob>>

    init(_ options: URLSessionTransport.Options, trust: ServerTrust, clock: any Clock<Duration> = SuspendingClock()) {
        self.clock = CallClock(clock)
        alarm = Alarm(self.clock)
        let settings = URLSessionConfiguration.ephemeral
        settings.urlCache = nil
        settings.requestCachePolicy = .reloadIgnoringLocalCacheData
        settings.httpCookieStorage = nil
        settings.httpShouldSetCookies = false
        settings.urlCredentialStorage = nil
        settings.httpMaximumConnectionsPerHost = options.connectionsPerHost
        settings.timeoutIntervalForRequest = Self.platformTimeout
        settings.timeoutIntervalForResource = Self.platformTimeout
        trust.setUp(settings)
        places = Lock(URLSessionPlaces(connectionsPerHost: options.connectionsPerHost))
        self.trust = trust
        self.settings = settings
        events = URLSessionEvents(trust)
        session = URLSession(configuration: settings, delegate: events, delegateQueue: nil)
    }

    // Who has a request under way has the link too, so that no task is made in a session that has been let go of.
    deinit { session.finishTasksAndInvalidate() }

    /// Longer than any request, since the library keeps the time itself; finite and in whole seconds, since the platform on Linux
    /// knows no other.
    static let platformTimeout: TimeInterval = 31_536_000

    /// Begins a task. Gives it, and what tells of it to the job.
    ///
    /// - Parameter afterEnd: done when the platform is through with the task.
    func begin(
        _ request: URLRequest, upload: Data?, for job: URLSessionJob, afterEnd: (@Sendable () -> Void)?
    ) -> (URLSessionDataTask, URLSessionEvents) {
        var (session, events) = (session, events)
        let isAlone = Self.mustBeAlone(job.request)
        if isAlone {
            events = URLSessionEvents(trust)
            session = URLSession(configuration: settings, delegate: events, delegateQueue: nil)
        }
        let task = upload.map { session.uploadTask(with: request, from: $0) } ?? session.dataTask(with: request)
        events.add(job, for: task.taskIdentifier, afterEnd: afterEnd)
        task.resume()
        if isAlone { session.finishTasksAndInvalidate() }
        return (task, events)
    }

    #if canImport(FoundationNetworking)
    /// Whether a request gets a session, and so a connection, of its own. When a kept connection is dead, the platform on Linux sends
    /// a POST without a body once more though it may have run (RFC 9110 §9.2.2), and whatever has a body waits for ever.
    private static func mustBeAlone(_ request: HTTPRequest) -> Bool { !request.isIdempotent || request.body != nil }
    #else
    private static func mustBeAlone(_ request: HTTPRequest) -> Bool { false }
    #endif

    /// Asks for a place at the platform; `false` when the job waits for one, and is told when it has it.
    func enter(_ job: URLSessionJob, for transfer: Transfer) -> Bool {
        places.withLock { $0.enter(transfer.id, to: transfer.origin, job) }
    }

    /// Gives a place back, or leaves the queue.
    func leave(_ id: UInt64) {
        // One after the other: those that are over by now let in the next.
        var admitted = places.withLock { $0.leave(id) }[...]
        while let job = admitted.popFirst() {
            if let id = job.admitted() { admitted += places.withLock { $0.leave(id) } }
        }
    }

    /// An origin's connections turn out to carry many requests at once.
    func carriesMany(_ origin: Origin) {
        for job in places.withLock({ $0.markMultiplexed(origin) }) {
            if let id = job.admitted() { leave(id) }
        }
    }

    /// Calls `action` at an instant of the clock, unless the timer is let go of before.
    func timer(_ instant: Duration, _ action: @escaping @Sendable () -> Void) -> Alarm.Timer { alarm.timer(instant, action) }
}
#endif
