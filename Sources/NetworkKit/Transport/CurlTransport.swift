#if canImport(CCurl)
internal import PlatformBase

/// HTTP by libcurl: the default on Linux.
///
/// One thread drives all requests of a transport; callers never wait on it, and their code never runs there. Connections are
/// kept and shared, over HTTP/2 where a TLS server offers it. Copies of a transport are the same transport; its thread ends when
/// the last copy and the last transfer have gone.
///
/// ```swift
/// let transport = CurlTransport(.init(tls: TLSOptions(authorityFile: "/etc/ssl/corp.pem"), proxy: .none))
/// let session = HTTPSession(transport: transport)
/// ```
public struct CurlTransport: StockTransport {
    /// How a transport connects.
    public struct Options: Sendable, Hashable {
        /// Which proxy requests go through.
        public enum Proxy: Sendable, Hashable {
            /// What `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy` say, as curl reads them: `http_proxy` in small letters
            /// only, names in `no_proxy` matched at label boundaries, addresses by CIDR, `*` for none at all.
            case environment
            /// None, whatever the environment says.
            case none
            /// The proxy at a URL, such as `http://proxy.example:3128`; user name and password may stand in it.
            case url(String)
        }

        /// How TLS connections are made and trusted.
        public var tls: TLSOptions
        /// Which proxy requests go through. Default: what the environment says.
        public var proxy: Proxy
        /// Connections to one origin at once; further requests wait, first come, first served. Default: 64.
        public var connectionsPerHost: Int
        /// Connections in all. Default: 256.
        public var connections: Int
        /// How long an unused connection is kept for the next request. Default: 60 s, counted in whole seconds.
        public var idleLifetime: Duration
        /// Whether HTTP/2 is offered to TLS servers. Default: yes.
        public var offersHTTP2: Bool
        /// Whether libcurl can let go of a lookup at once; a test may say that it can't.
        var usesQuickExit = CurlLibrary.hasQuickExit

        /// How a transport connects.
        public init(
            tls: TLSOptions = .init(), proxy: Proxy = .environment, connectionsPerHost: Int = 64, connections: Int = 256,
            idleLifetime: Duration = .seconds(60), offersHTTP2: Bool = true
        ) {
            self.tls = tls
            self.proxy = proxy
            self.connectionsPerHost = max(1, connectionsPerHost)
            self.connections = max(1, connections)
            self.idleLifetime = idleLifetime
            self.offersHTTP2 = offersHTTP2
        }
    }

    static let shared = CurlTransport()

    private let owner: Owner

    /// A transport with a thread and connections of its own.
    public init(_ options: Options = .init()) { owner = Owner(options) }

    /// Sends a request: see ``Transport/send(_:)``.
    public func send(_ request: HTTPRequest) async throws(RequestError) -> HTTPResponse {
        let request = try request.checked()
        let transfer = try Transfer(request, driver: owner.loop)
        let received = try await transfer.start()
        let response = HTTPResponse(head: received.head, body: ResponseBody(transfer), metrics: received.metrics)
        return ContentCoding.isOurs(request) ? ContentCoding.decoded(response, of: request) : response
    }

    /// Where tasks run without a change of thread between them and the loop: see ``HTTPSession/executor``.
    public var executor: any TaskExecutor { owner.executor }

    var loopExecutor: (any TaskExecutor)? { executor }

    /// Tells the loop when the last copy of the transport has gone.
    private final class Owner: Sendable {
        let loop: CurlLoop
        init(_ options: Options) { loop = CurlLoop(options) }
        var executor: CurlExecutor { CurlExecutor(loop, owner: self) }
        deinit { loop.post(.stop) }
    }
}

extension CurlTransport.Options.Proxy: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Which proxy, without its credentials.
    public var description: String {
        switch self {
        case .environment: return "environment"
        case .none: return "none"
        case .url(let text):
            var reference = URIReference(text)
            reference.authority = reference.authority.map { Authority($0).text }
            return reference.authority == nil ? SecretValues.mask : reference.text
        }
    }
    /// The same as `description`.
    public var debugDescription: String { description }
    /// What `dump` sees: the description.
    public var customMirror: Mirror { Mirror(self, children: ["proxy": description]) }
}
#endif
