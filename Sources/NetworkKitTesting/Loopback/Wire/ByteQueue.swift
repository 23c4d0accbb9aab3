internal import PlatformBase

/// Bytes that have arrived and are not used yet.
struct ByteQueue {
    private var bytes: [UInt8] = []
    private var start = 0
    /// How far the search for the end of the line at the front has come, counted from `start`.
    private var searched = 0

    var count: Int { bytes.count - start }
    var isEmpty: Bool { count == 0 }

    mutating func append(_ new: [UInt8]) {
        if isEmpty {
            bytes = new
            start = 0
        } else {
            if start > StreamSocket.readSize {
                bytes.removeFirst(start)
                start = 0
            }
            bytes += new
        }
    }

    /// Takes at most `limit` bytes from the front.
    mutating func take(upTo limit: Int) -> Data {
        let end = start + min(limit, count)
        defer { advance(to: end) }
        return Data(bytes[start..<end])
    }

    /// Takes the line at the front without its CRLF; `nil` when its end has not arrived.
    ///
    /// - Throws: when the line ends with a bare LF or holds a bare CR: recipients that disagree on where a line ends disagree on
    ///   where a request ends (RFC 9112 §2.2).
    mutating func takeLine() throws(LoopbackError) -> [UInt8]? {
        guard let end = nextLineFeed() else {
            searched = count
            return nil
        }
        guard end > start, bytes[end - 1] == UInt8(ascii: "\r") else { throw .malformed("a line ends with LF alone") }
        let line = Array(bytes[start..<end - 1])
        advance(to: end + 1)
        guard !line.contains(UInt8(ascii: "\r")) else { throw .malformed("a line holds a CR") }
        return line
    }

    private func nextLineFeed() -> Int? {
        bytes.withUnsafeBytes { buffer -> Int? in
            guard let base = buffer.baseAddress, start + searched < buffer.count else { return nil }
            let from = base + start + searched
            guard let found = memchr(from, 0x0A, count - searched) else { return nil }
            return UnsafeRawPointer(found) - base
        }
    }

    private mutating func advance(to position: Int) {
        start = position
        searched = 0
        if start == bytes.count {
            bytes.removeAll(keepingCapacity: false)
            start = 0
        }
    }
}
