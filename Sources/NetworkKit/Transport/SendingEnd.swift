#if canImport(CCurl)
internal import CCurl

/// How a sending ended without an answer, as far as anybody saw it, and what that means for its request: the rule of *sending again*.
/// Pure, so that each case can be tested without a connection that dies at the right moment.
struct SendingEnd {
    /// What becomes of the request.
    enum Meaning {
        /// It goes again, on a connection that is surely new.
        case sendAgain
        /// It failed, and libcurl doesn't know why.
        case failed(RequestError)
        /// It failed as libcurl says.
        case asSaid
    }

    /// libcurl's code.
    var code: Int
    /// How often libcurl was about to send.
    var sends = 1
    /// Whether the request was sent before.
    var isResend = false
    /// Whether the connection was kept from an earlier request.
    var isReused = true
    /// Whether any byte of an answer came.
    var hasAnswerBegun = false
    /// Whether the server refused the request's stream (RFC 9113 §8.7).
    var isRefused = false
    /// The request's stream, over HTTP/2.
    var stream: UInt32?
    /// What the server said of the connection.
    var goAway: HTTP2GoAway?
    /// Whether libcurl found the stream closed as it sent on.
    var isStreamClosed = false

    func meaning(for request: HTTPRequest) -> Meaning {
        let isReplayable = request.body?.isReplayable ?? true
        if isUnprocessed {
            return !isResend && isReplayable ? .sendAgain : .failed(.unprocessed(goAway, isResend: isResend))
        }
        let givenUp = goAway.flatMap { $0.error == 0 ? nil : RequestError.givenUp($0) }
        if diedUnanswered {
            // At most once, and only what has the same effect twice.
            if !isResend, request.isIdempotent, isReplayable { return .sendAgain }
            return .failed(givenUp ?? stale(request))
        }
        if let failure = givenUp ?? (isStreamClosed ? .closedStream : nil) { return .failed(failure) }
        return .asSaid
    }

    /// Whether the server has said that it did nothing with the request, so that any may be sent again (RFC 9113 §8.7).
    private var isUnprocessed: Bool {
        guard !hasAnswerBegun else { return false }
        if isRefused { return true }
        guard let stream, let goAway else { return false }
        return stream > goAway.lastStream
    }

    /// Whether a kept connection was dead, or spoilt, before a byte of an answer came (RFC 9110 §9.2.2, RFC 9112 §9.3.1).
    private var diedUnanswered: Bool {
        // libcurl was about to send again, or to rewind the body for it: it has seen the death itself.
        if sends > 1 || code == NK_E_SEND_FAIL_REWIND { return true }
        guard !hasAnswerBegun else { return false }
        // It has sent, and then failed to connect: to send again.
        let reconnecting = [
            NK_E_COULDNT_RESOLVE_PROXY, NK_E_COULDNT_RESOLVE_HOST, NK_E_COULDNT_CONNECT, NK_E_SSL_CONNECT_ERROR, NK_E_PROXY,
        ]
        if sends == 1, reconnecting.contains(code) { return true }
        // The last three are what libcurl calls it over HTTP/2.
        let deaths = [NK_E_GOT_NOTHING, NK_E_SEND_ERROR, NK_E_RECV_ERROR, NK_E_PARTIAL_FILE, NK_E_HTTP2, NK_E_OK]
        return isReused && (deaths + Self.surplus).contains(code)
    }

    /// Bytes that begin no answer, on a connection that has given one: what was left of that one (RFC 9112 §6.3), which came too late
    /// for libcurl to see it before it sent.
    private static let surplus = [NK_E_UNSUPPORTED_PROTOCOL, NK_E_WEIRD_SERVER_REPLY]

    private func stale(_ request: HTTPRequest) -> RequestError {
        let why =
            isResend
            ? "the request was sent a second time already"
            : request.isIdempotent
                ? "its body can't be read again" : "a \(request.method) without an idempotency key may not be sent twice"
        let what = Self.surplus.contains(code) ? "held bytes that are no answer" : "was closed before it answered"
        return .connection(
            .init(.init(kind: .stale), reason: "a kept connection \(what), and \(why); it may have reached the server"))
    }
}
#endif
