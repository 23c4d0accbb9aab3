#if canImport(CCurl)
internal import CCurl
internal import PlatformBase

/// What libcurl tells of a transfer, while it goes on and when it is over.
extension CurlHandle {
    /// The version that was spoken, once that is known.
    var version: HTTPVersion? {
        switch number(NK_INFO_HTTP_VERSION) {
        case 1: HTTPVersion(major: 1, minor: 0)
        case 2: HTTPVersion(major: 1, minor: 1)
        case 3: HTTPVersion(major: 2, minor: 0)
        case 30: HTTPVersion(major: 3, minor: 0)
        default: nil
        }
    }

    /// Whether the connection was kept from an earlier transfer: there is one, and none was made.
    var isReused: Bool { number(NK_INFO_NUM_CONNECTS) == 0 && number(NK_INFO_PRIMARY_PORT) != 0 }

    /// What libcurl says of its failure.
    var failureText: String { String(cString: errorText) }

    func metrics(isOver: Bool, sends: Int) -> RequestMetrics {
        var metrics = RequestMetrics()
        metrics.set(
            lookup: count(NK_INFO_NAMELOOKUP_TIME_T), connect: count(NK_INFO_CONNECT_TIME_T), tls: count(NK_INFO_APPCONNECT_TIME_T),
            firstByte: count(NK_INFO_STARTTRANSFER_TIME_T), total: isOver ? count(NK_INFO_TOTAL_TIME_T) : 0)
        metrics.bodyBytesSent = count(NK_INFO_SIZE_UPLOAD_T)
        metrics.bodyBytesReceived = count(NK_INFO_SIZE_DOWNLOAD_T)
        metrics.version = version
        metrics.isConnectionReused = isReused
        metrics.sends = sends
        return metrics
    }

    func number(_ info: Int) -> Int {
        var value = 0
        nk_getinfo_long(easy, Int32(info), &value)
        return value
    }

    func count(_ info: Int) -> Int64 {
        var value: Int64 = 0
        nk_getinfo_offset(easy, Int32(info), &value)
        return value
    }
}
#endif
