/// What a request cost. Times count from the moment the transport took the request.
public struct RequestMetrics: Sendable, Hashable {
    /// When the host's name had an address.
    public var nameLookup: Duration?
    /// When the connection was there.
    public var connect: Duration?
    /// When TLS was agreed; `nil` without TLS and on a kept connection.
    public var tls: Duration?
    /// When the first byte of the answer came.
    public var firstByte: Duration?
    /// When the transfer was over; `nil` while it goes on.
    public var total: Duration?
    /// Bytes of the request's body that were sent.
    public var bodyBytesSent: Int64 = 0
    /// Bytes of the answer's body that came, as they were sent, before decoding.
    public var bodyBytesReceived: Int64 = 0
    /// The version of the protocol that was spoken.
    public var version: HTTPVersion?
    /// Whether the connection was kept from an earlier request.
    public var isConnectionReused = false
    /// How often the transport sent the request: 2 when a kept connection turned out to be dead and the request could be sent
    /// again.
    public var sends = 0

    /// Nothing measured.
    public init() {}
}

/// A version of HTTP.
public struct HTTPVersion: Sendable, Hashable {
    /// The number in front of the dot.
    public let major: Int
    /// The number behind it.
    public let minor: Int

    /// A version.
    public init(major: Int, minor: Int) {
        self.major = major
        self.minor = minor
    }
}

extension HTTPVersion: CustomStringConvertible {
    /// As it is written: `HTTP/1.1`, `HTTP/2`.
    public var description: String { major >= 2 ? "HTTP/\(major)" : "HTTP/\(major).\(minor)" }
}
