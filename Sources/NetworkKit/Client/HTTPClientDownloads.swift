public import PlatformBase

extension HTTPClient {
    /// Downloads to a file.
    ///
    /// ```swift
    /// let file = try await client.download(Poster(), to: folder.appending(path: "poster.jpg")) { progress in
    ///     show(progress.fraction)
    /// }.get()
    /// ```
    ///
    /// The bytes go to a hidden neighbour of the file as they come, which takes the file's name when all are there: the file is whole, or
    /// there is none. When the connection breaks off, the rest is asked for (RFC 9110 §14.2, with `If-Range`), as ``ResumptionPolicy`` says.
    /// A download that fails in the end or is cancelled leaves the neighbour and a record beside it, and the next download of the same URL to
    /// the same file goes on from there, in another process too. An answer can be resumed if it has a strong `ETag`, or a `Last-Modified`
    /// at least a minute older than its `Date`; another one begins anew.
    ///
    /// `Accept-Encoding: identity` is sent. Where a server codes the answer all the same, the file has the bytes as they came, and they can't be
    /// resumed. The answer isn't cached unless ``RequestOptions/cachePolicy`` says so. There is no deadline and no limit of size unless the
    /// endpoint sets them.
    ///
    /// - Parameters:
    ///   - file: where to. The folder must be there.
    ///   - options: what becomes of a file that is there, what its SHA-256 must be, and how to go on.
    ///   - progress: told of the bytes so far and of all, at most ten times a second and at the end, by the download's task: it shouldn't take
    ///     long. ``RequestOptions/progress`` gives the same as a sequence, and what is uploaded.
    ///   - random: what the waits' jitter is drawn from.
    /// - Returns: the file, or why there is none: ``RequestError/file(_:)`` for what the disk says, ``RequestError/integrity(_:)`` for a SHA-256
    ///   that is another, and what ends any call.
    @concurrent
    public func download(
        _ endpoint: some Endpoint, to file: URL, options: DownloadOptions = .init(),
        progress: (@Sendable (TransferProgress) -> Void)? = nil,
        random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
    ) async -> Result<URL, RequestError> {
        await session.download(endpoint, to: .file(file), options, progress, random)
    }

    /// Downloads into a folder, under the name that the server gives the file (`Content-Disposition`, RFC 6266), else the last part of the
    /// URL's path.
    ///
    /// The name is only ever that of a file in the folder: of a path in it, the last part is taken; what is hidden, reserved or turns a text
    /// around is taken out; and what is left of nothing is `download`. Otherwise as ``download(_:to:options:progress:random:)``.
    ///
    /// - Returns: the file, which says what it is called.
    @concurrent
    public func download(
        _ endpoint: some Endpoint, into folder: URL, options: DownloadOptions = .init(),
        progress: (@Sendable (TransferProgress) -> Void)? = nil,
        random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
    ) async -> Result<URL, RequestError> {
        await session.download(endpoint, to: .folder(folder), options, progress, random)
    }
}

extension HTTPSession {
    fileprivate nonisolated(nonsending) func download(
        _ endpoint: some Endpoint, to target: DownloadTarget, _ options: DownloadOptions,
        _ progress: (@Sendable (TransferProgress) -> Void)?, _ random: any RandomNumberGenerator & Sendable
    ) async -> Result<URL, RequestError> {
        let monitor = endpoint.options.progress.flatMap { $0.begin(countsDownload: false) ? $0 : nil }
        let count = progress.map { DownloadCount(tell: $0) }
        let clock = clock
        var report: (@Sendable (Int64, Int64?) -> Void)?
        if monitor != nil || count != nil {
            report = { bytes, total in
                let now = clock.now
                monitor?.received(bytes, of: total, at: now)
                count?.received(bytes, of: total, at: now)
            }
        }
        let download = Download(
            target: target, options: options, random: RandomSource(random),
            prepare: { () throws(RequestError) -> HTTPRequest in try downloadRequest(for: endpoint, monitor) },
            send: { (request) async throws(RequestError) -> HTTPResponse in try await stream(request).get() },
            fault: { await $0.statusError() },
            report: report)
        let result: Result<URL, RequestError>
        do throws(RequestError) { result = .success(try await download.run()) } catch { result = .failure(error) }
        let isWhole = (try? result.get()) != nil
        count?.finish(isWhole: isWhole)
        if let monitor { await monitor.finished(length: isWhole ? 0 : nil, in: CallContext(callClock: clock)) }
        return result
    }

    /// The request of one attempt, but for the range.
    private func downloadRequest(for endpoint: some Endpoint, _ monitor: ProgressMonitor?) throws(RequestError) -> HTTPRequest {
        var request = try streamRequest(for: endpoint, accept: nil)
        request.headers[.acceptEncoding] = "identity"
        request.options.cachePolicy = endpoint.options.cachePolicy ?? .noStore
        // Whoever downloads counts, from the first attempt's beginning to the last one's end.
        request.options.progress = nil
        if let monitor {
            let clock = request.context.clock
            request.listen { monitor.take($0, at: clock.now) }
        }
        return request
    }
}

/// What a download's callback is told, and when.
private final class DownloadCount: Sendable {
    private struct State {
        var progress = TransferProgress()
        var throttle = UpdateThrottle(updatesPerSecond: ProgressMonitor.standardRate)
        var told: TransferProgress?
    }

    private let state = Lock(State())
    private let tell: @Sendable (TransferProgress) -> Void

    init(tell: @escaping @Sendable (TransferProgress) -> Void) { self.tell = tell }

    func received(_ bytes: Int64, of total: Int64?, at time: Duration) {
        let due = state.withLock { state -> TransferProgress? in
            state.progress.expect(total)
            _ = state.progress.advance(to: bytes)
            guard state.throttle.isDue(at: time) else { return nil }
            state.told = state.progress
            return state.progress
        }
        if let due { tell(due) }
    }

    func finish(isWhole: Bool) {
        let last = state.withLock { state -> TransferProgress? in
            if isWhole { state.progress.expect(state.progress.completed) }
            return state.told == state.progress ? nil : state.progress
        }
        if let last { tell(last) }
    }
}
