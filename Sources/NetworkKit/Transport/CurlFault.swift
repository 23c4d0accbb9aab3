#if canImport(CCurl)
internal import CCurl

/// From libcurl's codes to errors that say what happened.
enum CurlFault {
    /// The error of a sending that has ended, or `nil` when it has ended well.
    static func error(for code: CURLcode, on job: CurlJob) -> RequestError? {
        if Int(code) == NK_E_OK, job.isHeadComplete { return nil }
        let words = words(for: code, on: job)
        switch Int(code) {
        case NK_E_OK:
            return .noResponse(.init(reason: "the connection ended without an answer"))
        case NK_E_OPERATION_TIMEDOUT:
            return .timedOut(.init(reason: words))
        case NK_E_GOT_NOTHING:
            return .noResponse(.init(reason: "the server closed the connection without an answer"))
        default:
            let fault = ConnectionFault(
                code: Int(code), words: words, origin: job.transfer.origin,
                proxyStatus: job.hasAnswerBegun ? 0 : job.handle.number(NK_INFO_HTTP_CONNECTCODE),
                systemError: Int32(truncatingIfNeeded: job.handle.number(NK_INFO_OS_ERRNO)), options: job.options)
            let (kind, reason) = fault.explanation ?? (kind(of: code, on: job), ConnectionFault.withoutUserInfo(words))
            return .connection(.init(.init(kind: kind), reason: reason))
        }
    }

    private static func kind(of code: CURLcode, on job: CurlJob) -> RequestError.Connection.Kind {
        switch Int(code) {
        case NK_E_COULDNT_RESOLVE_HOST: return .nameLookup
        case NK_E_UNSUPPORTED_PROTOCOL, NK_E_WEIRD_SERVER_REPLY, NK_E_FILESIZE_EXCEEDED,
            NK_E_HTTP2, NK_E_OUT_OF_MEMORY:
            return .malformed
        case NK_E_PARTIAL_FILE: return job.hasAnswerBegun ? .truncated : .reset
        case NK_E_SSL_CONNECT_ERROR, NK_E_SSL_CERTPROBLEM, NK_E_SSL_CIPHER,
            NK_E_PEER_FAILED_VERIFICATION, NK_E_SSL_CACERT_BADFILE, NK_E_SSL_SHUTDOWN_FAILED,
            NK_E_SSL_CRL_BADFILE, NK_E_SSL_ISSUER_ERROR, NK_E_SSL_PINNEDPUBKEYNOTMATCH,
            NK_E_SSL_INVALIDCERTSTATUS, NK_E_SSL_CLIENTCERT:
            return .tls
        case NK_E_SEND_ERROR, NK_E_RECV_ERROR, NK_E_HTTP2_STREAM:
            return kindOfBrokenTransfer(job)
        default: return .other
        }
    }

    /// libcurl has one code for all that can break while it reads; its words tell more.
    private static func kindOfBrokenTransfer(_ job: CurlJob) -> RequestError.Connection.Kind {
        if job.handle.failureText.contains("chunk") { return .malformed }
        if job.handle.failureText.contains("unexpected eof") { return .truncated }
        return .reset
    }

    private static func words(for code: CURLcode, on job: CurlJob) -> String {
        let own = job.handle.failureText
        if Int(code) == NK_E_OUT_OF_MEMORY && !job.isHeadComplete {
            return "a field of the answer is too long"
        }
        return own.isEmpty ? String(cString: curl_easy_strerror(code)) : own
    }
}
#endif
