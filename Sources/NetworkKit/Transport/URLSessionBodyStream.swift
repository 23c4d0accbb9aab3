#if !canImport(CCurl) && !canImport(FoundationNetworking)
internal import Foundation
internal import PlatformBase

/// A body in the platform's form: the platform reads the one end of a pair of streams, and to the other is written what there is of the
/// body, whenever there is room. Nobody waits, and so nothing is left waiting when the platform never reads.
///
/// The pair is closed when the body is whole, or once the platform is through with the request: an end before that would make a whole body
/// of one that was cut.
final class URLSessionBodyStream: NSObject, StreamDelegate, @unchecked Sendable {
    // `input` is handed to the platform once. All else that isn't Sendable is touched on `queue` alone, where the stream calls its
    // delegate too; the queue runs one thing at a time.
    let input: InputStream
    private let output: OutputStream
    private let queue = DispatchQueue(label: "NetworkKit.URLSessionBodyStream")
    private let job: URLSessionJob
    private var source: UploadPipe?
    private var writing = UploadWriting()
    private var isWaiting = false
    private var isOpen = false

    /// `nil` where the platform gives no streams.
    init?(for job: URLSessionJob) {
        var input: InputStream?
        var output: OutputStream?
        Stream.getBoundStreams(withBufferSize: 64 * 1024, inputStream: &input, outputStream: &output)
        guard let input, let output else { return nil }
        self.input = input
        self.output = output
        self.job = job
        super.init()
    }

    /// Opens the pair for what a source has. It is to be closed, or it stays for ever.
    func open(for source: UploadPipe) {
        queue.async { [self] in
            self.source = source
            isOpen = true
            output.delegate = self
            CFWriteStreamSetDispatchQueue(output as CFWriteStream, queue)
            output.open()
        }
    }

    /// Goes on, since the source has something again.
    func advance() { queue.async { [self] in write() } }

    /// Closes the pair. Not before the platform is through with it.
    func close() {
        queue.async { [self] in
            source?.end(.failure(.cancelled))
            closeOutput()
        }
    }

    /// The platform tells that there is room, on `queue`.
    func stream(_ stream: Stream, handle event: Stream.Event) {
        switch event {
        case .hasSpaceAvailable: write()
        case .errorOccurred: refused()
        default: break
        }
    }

    private func write() {
        guard isOpen, let source else { return }
        if isWaiting { job.awaitsBody(false) }
        isWaiting = false
        switch writing.run(from: source, to: Sink(output: output)) {
        case .full: break
        case .nothingYet:
            isWaiting = true
            job.awaitsBody(true)
        case .whole: closeOutput()
        case .failed(let error):
            self.source = nil
            job.fail(error)
        case .refused: refused()
        }
    }

    private func refused() {
        guard let source else { return }
        source.end(.failure(.cancelled))
        self.source = nil
        job.bodyRefused(output.streamError)
    }

    private func closeOutput() {
        guard isOpen else { return }
        isOpen = false
        source = nil
        output.delegate = nil
        CFWriteStreamSetDispatchQueue(output as CFWriteStream, nil)
        output.close()
    }

    private struct Sink: UploadSink {
        let output: OutputStream
        var hasRoom: Bool { output.hasSpaceAvailable }

        func write(_ bytes: UnsafeRawBufferPointer) -> Int {
            let bytes = bytes.bindMemory(to: UInt8.self)
            return bytes.baseAddress.map { output.write($0, maxLength: bytes.count) } ?? 0
        }
    }
}
#endif
