#if canImport(CCurl)
internal import CCurl
internal import PlatformBase

/// A file's bytes on their way to the network. What the system has in memory is read where it is sent, straight into the buffer that it is
/// sent from; what it would have to wait for is read on a file-work thread first.
final class FileUpload: UploadSource {
    private struct State {
        /// `nil` until it is open, and when nobody reads any more.
        var file: OpenFile?
        /// Where the next byte is read that isn't in `piece`.
        var position: Int64 = 0
        /// What was waited for.
        var piece = Data()
        var isWaiting = true
        var end: RequestError?
    }

    private let body: FileBody
    private let state = Lock(State())
    /// Tells the reader that there is something to read again.
    private let notify: @Sendable () -> Void

    init(_ body: FileBody, notify: @escaping @Sendable () -> Void) {
        self.body = body
        self.notify = notify
        FileWork.add { self.wait(for: nil, at: 0) }
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> UploadReading {
        let (reading, waitsFor) = state.withLock { state -> (UploadReading, (file: OpenFile, position: Int64)?) in
            if let end = state.end { return (.failure(end), nil) }
            if !state.piece.isEmpty {
                let count = state.piece.copyBytes(to: buffer)
                state.piece = state.piece.dropFirst(count)
                return (.bytes(count), nil)
            }
            guard !state.isWaiting else { return (.nothingYet, nil) }
            let rest = body.length - state.position
            guard rest > 0, let file = state.file else { return (.end, nil) }
            do throws(RequestError) {
                let room = UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(Int(clamping: rest)))
                if let count = try file.readHeld(into: room, at: state.position) {
                    try body.check(file, read: state.position + Int64(count), isEnd: false)
                    state.position += Int64(count)
                    return (.bytes(count), nil)
                }
            } catch {
                state.end = error
                return (.failure(error), nil)
            }
            state.isWaiting = true
            return (.nothingYet, (file, state.position))
        }
        if let (file, position) = waitsFor { FileWork.add { self.wait(for: file, at: position) } }
        return reading
    }

    /// Reads a piece, on a file-work thread.
    private func wait(for known: OpenFile?, at position: Int64) {
        let result = Result { () throws(RequestError) -> (OpenFile, Data) in
            let file = if let known { known } else { try body.open() }
            let piece = try file.read(upTo: FileBody.chunkSize, at: position)
            try body.check(file, read: position + Int64(piece.count), isEnd: piece.isEmpty)
            return (file, piece)
        }
        state.withLock { state in
            guard state.end == nil else { return }
            state.isWaiting = false
            switch result {
            case .success((let file, let piece)):
                state.file = file
                state.piece = piece
                state.position = position + Int64(piece.count)
            case .failure(let error): state.end = error
            }
        }
        notify()
    }

    func end(_ result: Result<Void, RequestError>) {
        state.withLock { state in
            guard state.end == nil, case .failure(let error) = result else { return }
            state.end = error
            state.file = nil
            state.piece = Data()
        }
    }
}

extension OpenFile {
    /// Reads what the system has in memory; `nil` when there is nothing, or it doesn't tell. Linux 5.9 and 5.10 may say "none" before the
    /// file's end.
    fileprivate func readHeld(into buffer: UnsafeMutableRawBufferPointer, at position: Int64) throws(RequestError) -> Int? {
        let count = nk_read_held(descriptor, buffer.baseAddress, buffer.count, position)
        return count <= 0 ? nil : count
    }
}
#endif
