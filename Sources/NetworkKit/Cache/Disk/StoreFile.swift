internal import PlatformBase

/// An open file of the store's, closed when it is let go of. All calls block.
final class StoreFile: Sendable {
    let path: String
    private let descriptor: Int32

    /// Takes over a descriptor.
    init(_ descriptor: Int32, path: String) {
        self.descriptor = descriptor
        self.path = path
    }

    deinit { close(descriptor) }

    /// What the system says of it; `nil` where it says nothing.
    func status() throws(DiskFault) -> stat {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .system("read", path) }
        return status
    }

    /// Fills a buffer from a place in the file.
    ///
    /// - Returns: how many bytes there were: fewer than the buffer holds where the file ends.
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(DiskFault) -> Int {
        var filled = 0
        while filled < buffer.count {
            let count = pread(descriptor, buffer.baseAddress.map { $0 + filled }, buffer.count - filled, off_t(offset + Int64(filled)))
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw .system("read", path) }
            if count == 0 { break }
            filled += count
        }
        return filled
    }

    /// So many bytes from a place in the file, or as many as there are.
    func read(_ count: Int, at offset: Int64) throws(DiskFault) -> [UInt8] {
        var fault: DiskFault?
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            do throws(DiskFault) { filled = try read(into: UnsafeMutableRawBufferPointer(buffer), at: offset) } catch { fault = error }
        }
        if let fault { throw fault }
        return bytes
    }

    /// Writes all bytes at a place in the file.
    func write(_ bytes: [UInt8], at offset: Int64) throws(DiskFault) {
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                pwrite(descriptor, buffer.baseAddress.map { $0 + written }, buffer.count - written, off_t(offset + Int64(written)))
            }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { throw count == 0 ? .system(action: "write", path: path, code: ENOSPC) : .system("write", path) }
            written += count
        }
    }
}
