#if canImport(CCurl)
internal import CCurl
internal import PlatformBase

/// A request's body on its way into libcurl's buffer.
struct CurlUpload {
    private var source: (any UploadSource)?
    private var task: Task<Void, Never>?
    /// Whether the body hasn't been touched, since the server is to ask for it first (RFC 9110 §10.1.1).
    private(set) var isWithheld = false
    /// Whether libcurl waits to be told that there is more.
    var isPaused = false
    /// How many bytes were taken to be sent.
    private(set) var sent: Int64 = 0

    /// Whether there is one that has been begun.
    var isOpen: Bool { source != nil }

    /// Leaves the body alone until libcurl asks for it.
    mutating func withhold() { isWithheld = true }

    mutating func open(for transfer: Transfer, _ loop: CurlLoop) {
        guard let body = transfer.request.body else { return }
        let notify: @Sendable () -> Void = { loop.post(.upload(transfer)) }
        switch body.content {
        case .data(let data): source = UploadPipe(data)
        case .file(let file): source = FileUpload(file, notify: notify)
        case .chunks(let length, _, let open):
            let pipe = UploadPipe(notify: notify)
            source = pipe
            // A task of its own, since the request's answer may come and be read while the body is still being sent. It ends with
            // the transfer: see `close`.
            task = Task.detached { await pipe.fill(length: length, from: open) }
        default: break
        }
    }

    /// Fills libcurl's buffer with what is to be sent next. It asks for a body that is withheld when the server has, or has been silent for
    /// long enough.
    mutating func read(
        into buffer: UnsafeMutableRawBufferPointer, for transfer: Transfer, _ loop: CurlLoop
    ) -> UploadReading {
        if isWithheld {
            isWithheld = false
            open(for: transfer, loop)
        }
        guard let source else { return .end }
        let reading = source.read(into: buffer)
        if case .bytes(let count) = reading { sent += Int64(count) }
        return reading
    }

    /// Nobody sends any more.
    func close() {
        task?.cancel()
        source?.end(.failure(.cancelled))
    }
}
#endif
