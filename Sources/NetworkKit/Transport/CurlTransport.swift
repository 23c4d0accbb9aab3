#if canImport(CCurl)
internal import PlatformBase

/// HTTP by libcurl: the default on Linux.
///
/// One thread drives all requests of a transport; callers never wait on it, and their code never runs there, unless they ask for that by
/// ``executor``. Connections are kept and shared, over HTTP/2 where a TLS server offers it. Copies of a transport are the same transport; its thread ends when
/// the last copy and the last transfer have gone.
///
/// ```swift
/// let transport = CurlTransport(.init(tls: TLSOptions(authorityFile: "/etc/ssl/corp.pem"), proxy: .none))
/// let session = HTTPSession(transport: transport)
/// ```
///
/// Options that can't be honoured fail every request, before anything is connected, with ``RequestError/connection(_:)`` that says what is
/// wrong; ``Options/check()`` says it before the first. Connections are never shared between transports, so that the options of one
/// don't count for another.
public struct CurlTransport: StockTransport {
    static let shared = CurlTransport()

    private let owner: Owner

    /// A transport with a thread and connections of its own. Files that its options name are looked at on the calling thread.
    public init(_ options: Options = .init()) { owner = Owner(CurlLoop(options)) }

    /// A transport whose thread a test starts, or doesn't.
    init(start: @escaping Thread.Starter) { owner = Owner(CurlLoop(.init(), start: start)) }

    /// Sends a request: see ``Transport/send(_:)``.
    public func send(_ request: HTTPRequest) async throws(RequestError) -> HTTPResponse {
        let request = try request.checked()
        // Asked again: a file that was missing may be there by now.
        if owner.isFaulty { try owner.loop.options.check() }
        if let body = request.body { try await body.checkFiles() }
        let transfer = try Transfer(request, driver: owner.loop)
        let received = try await transfer.start()
        let response = HTTPResponse(head: received.head, body: ResponseBody(transfer), metrics: received.metrics)
        return received.mayBeCoded && ContentCoding.isOurs(request) ? ContentCoding.decoded(response, of: request) : response
    }

    /// Where tasks run without a change of thread between them and the loop: see ``HTTPSession/executor``.
    public var executor: any TaskExecutor { owner.executor }

    package var loopExecutor: (any TaskExecutor)? { executor }

    /// Tells the loop when the last copy of the transport has gone.
    private final class Owner: Sendable {
        let loop: CurlLoop
        /// Whether the options couldn't be honoured when the transport was made.
        let isFaulty: Bool
        init(_ loop: CurlLoop) {
            self.loop = loop
            isFaulty = (try? loop.options.check()) == nil
        }
        var executor: CurlExecutor { CurlExecutor(loop, owner: self) }
        deinit { loop.post(.stop) }
    }
}
#endif
