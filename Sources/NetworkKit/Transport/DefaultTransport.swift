#if canImport(CCurl)
extension Transport where Self == CurlTransport {
    /// The process's one transport with default options: libcurl on Linux. All sessions that don't bring a transport share it,
    /// its connections and its thread, which starts with the first request.
    public static var `default`: CurlTransport { .shared }

    /// A transport of the platform's kind that trusts and shows what it is told to; what else there is to set is set by the kind itself:
    /// ``CurlTransport/Options``. Make one and keep it, since its connections are its own.
    ///
    /// ```swift
    /// let session = HTTPSession(transport: try .connecting(tls: TLSOptions(pins: pins)))
    /// ```
    ///
    /// - Throws: ``RequestError/connection(_:)`` of kind `tls` when a file isn't what it should be, a pin could never match, or the
    ///   platform can't honour an option.
    public static func connecting(tls: TLSOptions) throws(RequestError) -> CurlTransport {
        let options = CurlTransport.Options(tls: tls)
        try options.check()
        return CurlTransport(options)
    }
}
#else
extension Transport where Self == URLSessionTransport {
    /// The process's one transport with default options: URLSession on Apple platforms. All sessions that don't bring a transport
    /// share it and its connections.
    public static var `default`: URLSessionTransport { .shared }

    /// A transport of the platform's kind that trusts and shows what it is told to. Make one and keep it, since its connections are its
    /// own.
    ///
    /// ```swift
    /// let session = HTTPSession(transport: try .connecting(tls: TLSOptions(pins: pins)))
    /// ```
    ///
    /// - Throws: ``RequestError/connection(_:)`` of kind `tls` when a file isn't what it should be, a pin could never match, or the
    ///   platform can't honour an option, such as a client certificate in PEM.
    public static func connecting(tls: TLSOptions) throws(RequestError) -> URLSessionTransport {
        try URLSessionTransport(.init(tls: tls))
    }
}
#endif
