import PlatformBase

/// A file that goes with the test.
final class TemporaryFile: Sendable {
    let url = FileManager.default.temporaryDirectory.appending(path: "networkkit-\(UUID().uuidString)")

    /// A file with this in it.
    init(_ content: Data) throws { try content.write(to: url) }

    /// A file of zeros that takes no room.
    init(zeros count: Int) throws {
        try Data().write(to: url)
        try resize(to: count)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// Cuts the file, or adds zeros.
    func resize(to count: Int) throws {
        guard truncate(url.path, off_t(count)) == 0 else { throw Failure() }
    }

    func remove() throws { try FileManager.default.removeItem(at: url) }

    struct Failure: Error {}
}

/// Chunks whose reader is heard of.
struct HeardChunks: AsyncSequence, Sendable {
    typealias Element = Data
    let chunks: [Data]
    let begins: @Sendable () -> Void

    init(_ texts: String..., begins: @escaping @Sendable () -> Void = {}) {
        chunks = texts.map { Data($0.utf8) }
        self.begins = begins
    }

    func makeAsyncIterator() -> AsyncStream<Data>.Iterator {
        begins()
        return chunks.stream.makeAsyncIterator()
    }
}
