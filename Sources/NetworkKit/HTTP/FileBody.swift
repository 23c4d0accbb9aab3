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

    func makeAsyncIterator() -> Iterator { Iterator(path: path) }

    struct Iterator: AsyncIteratorProtocol {
        let path: String
        private var file: OpenFile?

        init(path: String) { self.path = path }

        mutating func next() async throws -> Data? { try await next(isolation: nil) }

        mutating func next(isolation: isolated (any Actor)?) async throws(RequestError) -> Data? {
            let path = path
            let known = file
            let (opened, chunk) = try await FileWork.run { () throws(RequestError) -> (OpenFile, Data) in
                let file = if let known { known } else { try OpenFile(path) }
                return (file, try file.read(upTo: FileBody.chunkSize))
            }
            file = opened
            return chunk.isEmpty ? nil : chunk
        }
    }
}

/// An open file, closed when it is let go of.
final class OpenFile: Sendable {
    private let descriptor: Int32
    private let path: String

    init(_ path: String) throws(RequestError) {
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        self.path = path
        guard descriptor >= 0 else { throw .fileFault(path, "open") }
    }

    func read(upTo count: Int) throws(RequestError) -> Data {
        var buffer = [UInt8](repeating: 0, count: count)
        var filled: Int
        repeat {
            filled = buffer.withUnsafeMutableBytes { systemRead(descriptor, $0.baseAddress, count) }
        } while filled < 0 && errno == EINTR
        guard filled >= 0 else { throw .fileFault(path, "read") }
        return Data(buffer.prefix(filled))
    }

    deinit { if descriptor >= 0 { close(descriptor) } }
}

private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    read(descriptor, buffer, count)
}

extension RequestError {
    /// What the system says of a file just now, in `errno`.
    static func fileFault(_ path: String, _ action: String) -> RequestError {
        let code = errno
        return .file(
            .init(.init(path: path, code: code), reason: "can't \(action) \(Token.quoted(path)): \(String(cString: strerror(code)))"))
    }
}
