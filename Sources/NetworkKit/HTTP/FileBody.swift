internal import PlatformBase

/// A file's bytes as chunks, read on the file-work threads.
struct FileBody: AsyncSequence, Sendable {
    typealias Element = Data

    static let chunkSize = 256 * 1024

    let path: String
    let length: Int64

    /// - Throws: ``RequestError/file(_:)`` when there is no readable regular file at that place.
    init(_ url: URL) throws(RequestError) {
        guard url.isFileURL else {
            throw .file(.init(.init(path: url.absoluteString), reason: "\(Token.quoted(url.absoluteString)) is not the URL of a file"))
        }
        path = url.path
        var status = stat()
        guard stat(path, &status) == 0 else { throw .fileFault(path, "read") }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw .file(.init(.init(path: path), reason: "\(Token.quoted(path)) is not a regular file"))
        }
        guard access(path, R_OK) == 0 else { throw .fileFault(path, "read") }
        length = Int64(status.st_size)
    }

    func makeAsyncIterator() -> Iterator { Iterator(body: self) }

    /// Sees, on the file-work threads, that the file is still there and as long as it was: what is found now is told before anything
    /// is sent.
    func check() async throws(RequestError) {
        try await FileWork.run { () throws(RequestError) in _ = try open() }
    }

    /// The file, as long as it was.
    func open() throws(RequestError) -> OpenFile {
        let file = try OpenFile(path)
        let size = try file.size()
        guard size == length else { throw changed(to: size) }
        return file
    }

    /// Sees that what is read of the file is what was promised to the server, so that neither less nor more will follow.
    ///
    /// - Parameters:
    ///   - count: how many bytes are read.
    ///   - isEnd: whether there were no more.
    func check(_ file: OpenFile, read count: Int64, isEnd: Bool) throws(RequestError) {
        guard isEnd || count >= length else { return }
        let size = try file.size()
        if count != length || size != length { throw changed(to: size) }
    }

    private func changed(to size: Int64) -> RequestError {
        .file(
            .init(
                .init(path: path),
                reason: "\(Token.quoted(path)) has changed: it had \(length) bytes when the request was made, and has \(size) now; "
                    + "make the request anew, from a file that nobody writes to"))
    }

    struct Iterator: AsyncIteratorProtocol {
        private let body: FileBody
        private var file: OpenFile?
        private var count: Int64 = 0

        init(body: FileBody) { self.body = body }

        mutating func next() async throws -> Data? { try await next(isolation: nil) }

        mutating func next(isolation: isolated (any Actor)?) async throws(RequestError) -> Data? {
            let (body, known, count) = (body, file, count)
            let (opened, chunk) = try await FileWork.run { () throws(RequestError) -> (OpenFile, Data) in
                let file = if let known { known } else { try body.open() }
                let chunk = try file.read(upTo: FileBody.chunkSize, at: count)
                try body.check(file, read: count + Int64(chunk.count), isEnd: chunk.isEmpty)
                return (file, chunk)
            }
            file = opened
            self.count += Int64(chunk.count)
            return chunk.isEmpty ? nil : chunk
        }
    }
}

/// An open file, closed when it is let go of.
final class OpenFile: Sendable {
    let descriptor: Int32
    private let path: String

    init(_ path: String) throws(RequestError) {
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        self.path = path
        guard descriptor >= 0 else { throw .fileFault(path, "open") }
    }

    /// How many bytes it has now.
    func size() throws(RequestError) -> Int64 {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .fileFault(path, "read") }
        return Int64(status.st_size)
    }

    /// Bytes from a place on; none where the file ends.
    func read(upTo count: Int, at position: Int64) throws(RequestError) -> Data {
        guard let memory = malloc(count) else { throw .fileFault(path, "read") }
        var filled: Int
        repeat {
            filled = pread(descriptor, memory, count, off_t(position))
        } while filled < 0 && errno == EINTR
        guard filled > 0 else {
            let fault = filled < 0 ? RequestError.fileFault(path, "read") : nil
            free(memory)
            if let fault { throw fault }
            return Data()
        }
        return Data(bytesNoCopy: memory, count: filled, deallocator: .free)
    }

    deinit { if descriptor >= 0 { close(descriptor) } }
}

extension RequestError {
    /// What the system says of a file just now, in `errno`.
    static func fileFault(_ path: String, _ action: String) -> RequestError {
        let code = errno
        return .file(
            .init(.init(path: path, code: code), reason: "can't \(action) \(Token.quoted(path)): \(String(cString: strerror(code)))"))
    }
}
