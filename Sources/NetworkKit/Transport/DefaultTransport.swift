#if canImport(CCurl)
extension Transport where Self == CurlTransport {
    /// The process's one transport with default options: libcurl on Linux. All sessions that don't bring a transport share it,
    /// its connections and its thread, which starts with the first request.
    public static var `default`: CurlTransport { .shared }
}
#else
extension Transport where Self == URLSessionTransport {
    /// The process's one transport with default options: URLSession on Apple platforms. All sessions that don't bring a transport
    /// share it and its connections.
    public static var `default`: URLSessionTransport { .shared }
}
#endif
