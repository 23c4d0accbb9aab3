internal import PlatformBase

extension RequestBody {
    /// The body compressed with gzip (RFC 1952): bytes at once, files and streams while they are sent, so that their length isn't known.
    /// What could be sent again still can.
    ///
    /// - Parameter isOver: why to give up, asked between pieces.
    /// - Returns: `nil` where the bytes don't get fewer.
    nonisolated(nonsending) func gzipped(unless isOver: () -> RequestError?) async throws(RequestError) -> RequestBody? {
        if case .data(let data) = content {
            // Compressing takes longer than all else: nothing for a transport's loop, which a task may prefer to run on.
            let prefersExecutor = withUnsafeCurrentTask { $0?.unownedTaskExecutor != nil }
            guard prefersExecutor else { return try Gzip.compressed(data, unless: isOver).map { replacing(.data($0)) } }
            let result = await withTaskExecutorPreference(globalConcurrentExecutor) {
                Result { () throws(RequestError) in try Gzip.compressed(data, unless: isOver) }
            }
            return try result.get().map { replacing(.data($0)) }
        }
        guard let (length, isReplayable, open) = content.chunks else { return self }
        return replacing(
            .chunks(length: nil, isReplayable: isReplayable) { () async throws(RequestError) in
                AsyncReader(GzipChunks(reader: try await open(), length: length))
            })
    }
}

private enum Gzip {
    /// How much is compressed at once.
    static let slice = 256 << 10

    static func deflater() throws(RequestError) -> Deflater {
        guard let deflater = Deflater(.gzip) else {
            throw .encode(.init(.init(part: .body), reason: "there is no memory to compress the body with"))
        }
        return deflater
    }

    /// The bytes compressed; `nil` where they don't get fewer.
    static func compressed(_ data: Data, unless isOver: () -> RequestError?) throws(RequestError) -> Data? {
        let deflater = try deflater()
        var result = Data()
        var rest = data
        while !rest.isEmpty {
            if let reason = isOver() { throw reason }
            result.append(deflater.deflate(rest.prefix(slice)))
            rest = rest.dropFirst(slice)
        }
        result.append(deflater.finish())
        return result.count < data.count ? result : nil
    }
}

/// Somebody's chunks, compressed while they are sent.
private struct GzipChunks: AsyncSequence, Sendable {
    typealias Element = Data
    let reader: AsyncReader
    /// How many bytes the body promises. Nobody else counts them: what is sent has another length.
    let length: Int64?

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(reader: reader, length: length) }

    struct AsyncIterator: AsyncIteratorProtocol {
        private let reader: AsyncReader
        private let length: Int64?
        private var deflater: Deflater?
        private var count: Int64 = 0
        private var rest = Data()
        private var isDone = false

        init(reader: AsyncReader, length: Int64?) {
            self.reader = reader
            self.length = length
        }

        mutating func next() async throws -> Data? { try await next(isolation: nil) }

        mutating func next(isolation actor: isolated (any Actor)?) async throws -> Data? {
            guard !isDone else { return nil }
            let deflater = try self.deflater ?? Gzip.deflater()
            self.deflater = deflater
            while true {
                while !rest.isEmpty {
                    let piece = rest.prefix(Gzip.slice)
                    rest = rest.dropFirst(Gzip.slice)
                    let coded = deflater.deflate(piece)
                    if !coded.isEmpty { return coded }
                }
                guard let chunk = try await reader.next() else { break }
                count += Int64(chunk.count)
                if let length, count > length { throw RequestError.bodyTooLong(promised: length) }
                rest = chunk
            }
            isDone = true
            if let length, count < length { throw RequestError.bodyTooShort(count, promised: length) }
            return deflater.finish()
        }
    }
}

extension RequestError {
    /// A stream has more than it promised.
    static func bodyTooLong(promised length: Int64) -> RequestError {
        .encode(.init(.init(part: .framing), reason: "the body stream has more than the \(length) bytes it promised"))
    }

    /// A stream has less than it promised.
    static func bodyTooShort(_ count: Int64, promised length: Int64) -> RequestError {
        .encode(.init(.init(part: .framing), reason: "the body stream ended after \(count) of the \(length) bytes it promised"))
    }
}
