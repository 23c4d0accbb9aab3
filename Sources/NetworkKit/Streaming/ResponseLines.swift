internal import PlatformBase

/// The lines of an answer, as text, each as soon as it has come.
///
/// ```swift
/// for try await line in client.lines(for: ServerLog()) { print(line) }
/// for try await line in response.body.lines { … }
/// ```
///
/// A line ends with LF, CRLF or CR, and with nothing else: U+2028 and its like are characters of a line. Blank lines are kept; what
/// stands behind the last line end is a line unless it is empty. The text is UTF-8, whatever the chunks are cut at; bytes that are no
/// UTF-8 are replaced, and a byte order mark at the start is passed over, as WHATWG's "UTF-8 decode" does.
///
/// Iterating sends the request; leaving the loop, or cancelling the task, ends the transfer. Only as much is read as is asked for.
public struct ResponseLines: AsyncSequence, Sendable {
    /// A line without its end.
    public typealias Element = String
    /// A status that means failure, what ends the transfer early, and ``RequestError/stream(_:)`` for a line that is too long.
    public typealias Failure = RequestError

    /// The most bytes of a line, unless said otherwise: 16 MiB.
    public static let standardLimit = LineSplitter.standardLimit

    let limit: Int
    let open: StreamOpening

    /// Begins to read.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(reader: LineReader(limit: limit, ending: .any, open: open))
    }

    /// Reads lines. Letting go of it ends the transfer.
    public struct AsyncIterator: AsyncIteratorProtocol {
        var reader: LineReader
        private var isFirst = true

        init(reader: LineReader) { self.reader = reader }

        /// The next line, or `nil` at the end.
        public mutating func next() async throws(RequestError) -> String? { try await next(isolation: nil) }

        /// The next line, or `nil` at the end.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(RequestError) -> String? {
            guard isFirst else { return try await reader.next(isolation: actor) { String(decoding: $0, as: UTF8.self) } }
            isFirst = false
            return try await reader.next(isolation: actor) { String(decoding: ByteOrderMark.removed(from: $0), as: UTF8.self) }
        }
    }
}

/// The three bytes that some writers put in front of UTF-8.
enum ByteOrderMark {
    static func removed(from bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        guard bytes.count >= 3, bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF else { return bytes }
        return UnsafeRawBufferPointer(rebasing: bytes[3...])
    }
}

extension ResponseBody {
    /// The lines of the body: see ``ResponseLines``.
    public var lines: ResponseLines { lines(upTo: ResponseLines.standardLimit) }

    /// The lines of the body.
    ///
    /// - Parameter limit: the most bytes that a line may have; one that has more ends the sequence with ``RequestError/stream(_:)``.
    public func lines(upTo limit: Int) -> ResponseLines {
        let body = self
        return ResponseLines(limit: limit) { (body, nil) }
    }
}
