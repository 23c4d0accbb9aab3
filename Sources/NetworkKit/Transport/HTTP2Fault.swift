#if canImport(CCurl)
/// Why a request fails that a server of HTTP/2 has broken off.
extension RequestError {
    /// The server did nothing with the request, and it can't be sent once more.
    static func unprocessed(_ goAway: HTTP2GoAway?, isResend: Bool) -> RequestError {
        let what =
            goAway.map { "the server took no more requests (GOAWAY, \($0.name))" } ?? "the server refused the request (REFUSED_STREAM)"
        let why = isResend ? "the second time too, on a new connection" : "and its body can't be read again"
        return .connection(.init(.init(kind: .reset), reason: "\(what), \(why); it did not process it"))
    }

    /// The server gave the connection up while it had the request.
    static func givenUp(_ goAway: HTTP2GoAway) -> RequestError {
        let reason = "the server gave the connection up (GOAWAY, \(goAway.name)); it may have processed the request"
        return .connection(.init(.init(kind: .reset), reason: reason))
    }

    /// The server may answer before it has the whole request, and have the rest reset (RFC 9113 §8.1). libcurl 7.88 then finds the
    /// stream closed as it sends on, and loses the answer with it.
    static var closedStream: RequestError {
        let reason = "the server closed the stream before it had the whole request; if it answered, libcurl has lost the answer"
        return .connection(.init(.init(kind: .reset), reason: reason))
    }
}
#endif
