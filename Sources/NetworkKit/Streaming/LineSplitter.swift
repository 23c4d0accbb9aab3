internal import PlatformBase

/// Splits bytes into lines, wherever the chunks that they come in are cut.
///
/// A line ends with LF, CRLF or CR; blank lines are lines. The end isn't part of the line. A line is given as soon as its last byte is
/// there: of a CR at the end of a chunk it isn't known yet whether an LF belongs to it, and nobody waits to find out.
///
/// Every byte is looked at a bounded number of times and copied at most once, so the cost is linear in what comes, for lines of any
/// length and chunks of any size.
struct LineSplitter {
    /// What ends a line.
    enum Ending {
        /// LF, CRLF or CR.
        case any
        /// LF alone. For formats in which a CR is white space inside of a line, such as JSON.
        case lineFeed
    }

    /// The most bytes of a line where nobody says otherwise: 16 MiB.
    static let standardLimit = 16 << 20

    private let limit: Int
    private let ending: Ending
    private var chunk = Data()
    /// Offsets in the chunk: of what hasn't been given yet, and of the next line ends at or behind that (its count for none).
    private var place = 0
    private var nextLF = 0
    private var nextCR = 0
    /// The beginning of a line, from chunks before.
    private var begun: [UInt8] = []
    /// Whether an LF that comes next belongs to a CR before it.
    private var passesLF = false
    /// How many lines have been given.
    private(set) var count = 0

    /// - Parameter limit: the most bytes that a line may have.
    init(limit: Int = standardLimit, ending: Ending = .any) {
        self.limit = max(0, limit)
        self.ending = ending
    }

    /// Adds bytes, once ``next(_:)`` has given `nil` for those before.
    mutating func append(_ bytes: Data) {
        chunk = bytes
        place = 0
        // Both are behind `place` only when they have been looked for.
        nextLF = -1
        nextCR = ending == .any ? -1 : bytes.count
    }

    /// The next line that is complete, or `nil` when more bytes are needed.
    ///
    /// - Parameter use: takes what it wants of the line; the bytes are good until it returns.
    /// - Throws: ``RequestError/stream(_:)`` for a line over the limit, with its number and beginning.
    @inline(__always)
    mutating func next<Result>(_ use: (UnsafeRawBufferPointer) throws(RequestError) -> Result) throws(RequestError) -> Result? {
        try first { line throws(RequestError) in try use(line) }
    }

    /// What `use` makes of the first line of which it makes something; the lines before are passed over. `nil` when more bytes are
    /// needed.
    @inline(__always)
    mutating func first<Result>(_ use: (UnsafeRawBufferPointer) throws(RequestError) -> Result?) throws(RequestError) -> Result? {
        guard place < chunk.count else { return nil }
        let chunk = chunk
        let outcome = chunk.withUnsafeBytes { bytes in
            Swift.Result { () throws(RequestError) -> Result? in
                while let piece = try nextPiece(bytes) {
                    if let result = try give(piece, use) { return result }
                }
                return nil
            }
        }
        return try outcome.get()
    }

    /// The last line, when the bytes have ended without ending it.
    mutating func finish<Result>(_ use: (UnsafeRawBufferPointer) throws(RequestError) -> Result) throws(RequestError) -> Result? {
        guard !begun.isEmpty else { return nil }
        return try give(UnsafeRawBufferPointer(start: nil, count: 0), use)
    }

    /// What the chunk has of the next line, when the line ends in it; else it is kept for the next chunk.
    @inline(__always)
    private mutating func nextPiece(_ bytes: UnsafeRawBufferPointer) throws(RequestError) -> UnsafeRawBufferPointer? {
        guard place < bytes.count else { return nil }
        if passesLF {
            passesLF = false
            if bytes[place] == Self.lineFeed { place += 1 }
        }
        if nextLF < place { nextLF = Self.offset(of: Self.lineFeed, in: bytes, from: place) }
        if nextCR < place { nextCR = Self.offset(of: Self.carriageReturn, in: bytes, from: place) }
        let end = min(nextLF, nextCR)
        let piece = UnsafeRawBufferPointer(rebasing: bytes[place..<end])
        guard begun.count + piece.count <= limit else { throw tooLong(piece) }
        guard end < bytes.count else {
            piece.withMemoryRebound(to: UInt8.self) { begun.append(contentsOf: $0) }
            place = end
            return nil
        }
        place = end + 1
        if end == nextCR {
            if place == bytes.count { passesLF = true } else if place == nextLF { place += 1 }
        }
        return piece
    }

    /// Gives a line: what has been begun of it, and its last piece.
    @inline(__always)
    private mutating func give<Result>(
        _ piece: UnsafeRawBufferPointer, _ use: (UnsafeRawBufferPointer) throws(RequestError) -> Result
    ) throws(RequestError) -> Result {
        count += 1
        if begun.isEmpty { return try use(piece) }
        piece.withMemoryRebound(to: UInt8.self) { begun.append(contentsOf: $0) }
        defer { begun.removeAll(keepingCapacity: begun.capacity <= Self.keptCapacity) }
        return try begun.withUnsafeBytes { line in
            Swift.Result { () throws(RequestError) in try use(line) }
        }.get()
    }

    /// The room that is kept for the next line that is cut.
    private static let keptCapacity = 64 << 10
    private static let lineFeed = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")

    private static func offset(of byte: UInt8, in bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
        // `memchr` reads `count - start` bytes from `start` on, which lie in the buffer since 0 <= start <= count; what it gives is an
        // address among them.
        guard start < bytes.count, let base = bytes.baseAddress, let found = memchr(base + start, Int32(byte), bytes.count - start) else {
            return bytes.count
        }
        return UnsafeRawPointer(found) - base
    }

    private func tooLong(_ piece: UnsafeRawBufferPointer) -> RequestError {
        let start = begun.prefix(StreamExcerpt.limit) + piece.prefix(max(0, StreamExcerpt.limit - begun.count))
        return .stream(
            .init(
                .init(position: count + 1, excerpt: StreamExcerpt.text(start)),
                reason: "line \(count + 1) has more than \(limit) bytes, the most that a line may have here"))
    }
}

/// The piece of a stream that an error quotes.
enum StreamExcerpt {
    /// At most so many bytes, and so at most so many characters.
    static let limit = 200

    /// The beginning as text, on one line, without what a terminal would act upon.
    static func text(_ bytes: some Collection<UInt8>) -> String {
        let text = String(decoding: bytes.prefix(limit), as: UTF8.self)
        return String(
            String.UnicodeScalarView(text.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }))
    }
}
