internal import PlatformBase

extension HTTPRequest {
    /// The request with its monitor told of what becomes of it; `nil` where it has none, or one that follows another call.
    func followed(countsDownload: Bool = true) -> (HTTPRequest, ProgressMonitor)? {
        guard let progress = options.progress, progress.begin(countsDownload: countsDownload) else { return nil }
        var request = self
        let clock = context.clock
        request.listen { progress.take($0, at: clock.now) }
        return (request, progress)
    }
}

extension Result where Success == HTTPResponse, Failure == RequestError {
    /// The answer, whose end the monitor is told of.
    func followed(by progress: ProgressMonitor, on clock: CallClock) -> Self {
        switch self {
        case .success(let response):
            return .success(
                response.watched(on: clock) { passage in
                    if case .whole = passage.ending { progress.finish(length: passage.count) } else { progress.finish(length: nil) }
                })
        case .failure:
            progress.finish(length: nil)
            return self
        }
    }
}
