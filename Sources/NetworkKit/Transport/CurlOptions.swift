#if canImport(CCurl)
internal import CCurl
internal import PlatformBase

extension CurlTransport {
    /// How a transport connects.
    public struct Options: Sendable, Hashable {
        /// How TLS connections are made and trusted.
        public var tls: TLSOptions
        /// Which proxy requests go through. Default: what the environment says.
        public var proxy: Proxy
        /// Connections to one origin at once; further requests wait, first come, first served. Default: 64.
        public var connectionsPerHost: Int
        /// Connections in all. Default: 256.
        public var connections: Int
        /// How long an unused connection is kept for the next request, in whole seconds: it is closed in the second that follows, or where
        /// others were used meanwhile, at most as much later again. Default: 60 s.
        public var idleLifetime: Duration
        /// Whether HTTP/2 is offered to TLS servers. Default: yes.
        public var offersHTTP2: Bool
        /// Addresses for names, instead of looking them up: `["api.example.com:443": ["192.0.2.7", "2001:db8::7"]]`. The name is what the
        /// URL says, with its port, and certificates are still verified against it. The addresses are tried as if a name server had given
        /// them. What goes through a proxy is looked up by the proxy. Default: none.
        public var addresses: [String: [String]]
        /// The path of a Unix-domain socket to connect to, whatever host a URL names: `/var/run/docker.sock`, asked as
        /// `http://localhost/version`. There is no proxy then; the environment's is passed over. Default: `nil`, for none.
        public var unixSocket: String?
        /// Whether libcurl can let go of a lookup at once; a test may say that it can't.
        var usesQuickExit = CurlLibrary.hasQuickExit

        /// How a transport connects.
        public init(
            tls: TLSOptions = .init(), proxy: Proxy = .environment, connectionsPerHost: Int = 64, connections: Int = 256,
            idleLifetime: Duration = .seconds(60), offersHTTP2: Bool = true, addresses: [String: [String]] = [:], unixSocket: String? = nil
        ) {
            self.tls = tls
            self.proxy = proxy
            self.connectionsPerHost = max(1, connectionsPerHost)
            self.connections = max(1, connections)
            self.idleLifetime = idleLifetime
            self.offersHTTP2 = offersHTTP2
            self.addresses = addresses
            self.unixSocket = unixSocket
        }

        /// Says what is wrong with the options: what every request of a transport that was made with them would say. A program may call it
        /// at its start. It reads the files that the options name, and connects to nothing.
        ///
        /// - Throws: ``RequestError/connection(_:)``: of kind `tls` for a pin that could never match, a file that isn't there or doesn't
        ///   hold what it should; of kind `proxy`, `nameLookup` or `other` for a proxy, an address or a socket that can't be.
        public func check() throws(RequestError) {
            try tls.check()
            if case .url(let url, let user, let password, let except) = proxy.choice {
                _ = try ProxyAddress(url, user: user, password: password, except: except)
                guard unixSocket == nil else {
                    throw .setUp(.proxy, "a Unix socket can't be reached through a proxy; leave one of them out")
                }
            }
            if !addresses.isEmpty {
                _ = try HostAddresses(addresses)
                guard unixSocket == nil else { throw .setUp(.nameLookup, "a Unix socket needs no addresses; leave one of them out") }
            }
            if let unixSocket { _ = try UnixSocketPath(unixSocket) }
            guard let refusal = CurlConnecting.refusal(of: self) else { return }
            throw .setUp(refusal.kind, "this machine's libcurl (\(CurlLibrary.name)) can't have \(refusal.what): \(refusal.reason)")
        }
    }
}
#endif
