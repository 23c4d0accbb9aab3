/// Lines up to an empty one, gathered as they arrive: a head without its end, or the trailer section of a chunked body.
struct LineSection {
    private(set) var lines: [[UInt8]] = []
    private var size = 0
    let limit: Int

    /// - Parameter limit: the most bytes that the section may have.
    init(limit: Int) { self.limit = limit }

    /// Takes what has arrived; the lines when the section is complete.
    ///
    /// - Parameter skipsEmptyFirst: whether empty lines before the first are passed over (RFC 9112 §2.2).
    mutating func next(from queue: inout ByteQueue, skipsEmptyFirst: Bool) throws(LoopbackError) -> [[UInt8]]? {
        while let line = try queue.takeLine() {
            size += line.count + 2
            if size > limit { throw tooLarge }
            if !line.isEmpty {
                lines.append(line)
            } else if !lines.isEmpty || !skipsEmptyFirst {
                return lines
            }
        }
        if size + queue.count > limit { throw tooLarge }
        return nil
    }

    private var tooLarge: LoopbackError { .malformed("the head is longer than \(limit) bytes", status: 431) }
}
