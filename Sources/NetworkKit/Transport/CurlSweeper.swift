#if canImport(CCurl)
internal import CCurl

/// Closes connections that have been idle for longer than they are kept. libcurl does so only when a request looks for a connection, so
/// this is such a request: one for an address, which takes no lookup, and that may open no socket, so that it ends at once.
struct CurlSweeper {
    private var easy: UnsafeMutableRawPointer?

    /// The loop's thread calls it. Other transfers may get on meanwhile, and end: their messages are there to be read afterwards.
    mutating func closeIdle(in multi: UnsafeMutableRawPointer, _ events: CurlEvents, lifetime: Duration) {
        if easy == nil { easy = Self.handle(lifetime) }
        guard let easy, curl_multi_add_handle(multi, easy) == 0 else { return }
        // Its own message goes when it is removed.
        events.runTimers(multi)
        curl_multi_remove_handle(multi, easy)
    }

    mutating func close() {
        if let easy { curl_easy_cleanup(easy) }
        easy = nil
    }

    private static func handle(_ lifetime: Duration) -> UnsafeMutableRawPointer? {
        guard let easy = curl_easy_init() else { return nil }
        nk_setopt_string(easy, Int32(NK_OPT_URL), "http://127.0.0.1:1/")
        nk_setopt_string(easy, Int32(NK_OPT_PROXY), "")
        nk_setopt_long(easy, Int32(NK_OPT_NOSIGNAL), 1)
        nk_setopt_long(easy, Int32(NK_OPT_MAXAGE_CONN), IdleSweep.seconds(lifetime))
        nk_setopt_socket_callback(easy, Int32(NK_OPT_OPENSOCKETFUNCTION)) { _, _, _ in Int32(NK_CURL_SOCKET_BAD) }
        return easy
    }
}
#endif
