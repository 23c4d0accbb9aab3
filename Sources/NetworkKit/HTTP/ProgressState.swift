/// How far a call's bodies have come, from what the transport says of it.
///
/// A call may send several requests, each of which begins to count anew. What is told is the farthest of them.
struct ProgressState: Sendable {
    private(set) var upload = TransferProgress()
    private(set) var download = TransferProgress()
    /// Whether the bytes that come are those that the caller wants: not those of a redirect, of a challenge, or of a refusal.
    private var isWanted = false

    /// Takes what the transport says; says whether a count went up.
    ///
    /// - Parameter countsDownload: `false` where whoever reads the body counts it.
    mutating func take(_ event: TransportEvent, countsDownload: Bool = true) -> Bool {
        switch event {
        case .sending(let request):
            isWanted = false
            // A redirect may lead to a request without a body; what was sent stays sent.
            if let body = request.body {
                upload.expect(body.length)
            } else if upload.completed == 0 {
                upload.expect(0)
            }
            return false
        case .sent(let count): return upload.advance(to: count)
        case .head(let status):
            isWanted = countsDownload && status.isSuccess
            if isWanted { download.expect(nil) }
            return false
        case .expecting(let count):
            if isWanted { download.expect(count) }
            return false
        case .received(let count): return isWanted && download.advance(to: count)
        case .queued, .started, .measured, .connected, .interim, .ended, .answered, .failed: return false
        }
    }

    /// Takes what whoever reads the body has counted; says whether it is news.
    mutating func received(_ count: Int64, of total: Int64?) -> Bool {
        download.expect(total)
        return download.advance(to: count)
    }

    /// The whole answer is there.
    ///
    /// - Parameter length: how long the decoded body is: what counts where nothing came from the network, as from a cache.
    mutating func succeed(length: Int64) {
        if download.completed == 0 { _ = download.advance(to: length) }
        download.expect(download.completed)
        // An upload whose length nobody knew has one now.
        if upload.total == nil { upload.expect(upload.completed) }
    }
}

/// Lets so many updates pass in a time, and drops those between.
struct UpdateThrottle: Sendable {
    private let interval: Duration
    private var last: Duration?

    /// - Parameter updatesPerSecond: how many; at least one.
    init(updatesPerSecond: Int) { interval = .seconds(1) / max(updatesPerSecond, 1) }

    /// Whether there may be one now. The first may be at once.
    mutating func isDue(at time: Duration) -> Bool {
        if let last, time - last < interval { return false }
        last = time
        return true
    }
}
