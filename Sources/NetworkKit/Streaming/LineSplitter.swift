package import PlatformBase

/// Splits bytes into lines, wherever the chunks that they come in are cut.
///
/// A line ends with LF, CRLF or CR; blank lines are lines. The end isn't part of the line. A line is given as soon as its last byte is
/// there: of a CR at the end of a chunk it isn't known yet whether an LF belongs to it, and nobody waits to find out.
///
/// Every byte is looked at at most twice, once for each line end, and copied at most twice, so the cost is linear in what comes, for
/// lines of any length and chunks of any size.
///
/// Known to the package for the sake of its benchmark, which splits lines and does nothing else.
package struct LineSplitter {
    /// What ends a line.
    package enum Ending: Sendable {
        /// LF, CRLF or CR.
        case any
        /// LF alone. For formats in which a CR is white space inside of a line, such as JSON.
        case lineFeed
    }

    /// The most bytes of a line where nobody says otherwise: 16 MiB.
    package static let standardLimit = 16 << 20

    private let limit: Int
    private let ending: Ending
    /// What hasn't been given yet, from `place` on.
    private var bytes: [UInt8] = []
    private var place = 0
    /// How many bytes of the beginning are known to end no line.
    private var scanned = 0
    /// Where the next line ends are, at or behind `place`; the count of the bytes for none. What is before `place` has to be looked for.
    private var nextLF = -1
    private var nextCR = -1
    /// Whether an LF that comes next belongs to a CR before it.
    private var passesLF = false
    /// How many lines have been given.
    private(set) var count = 0
    /// How many bytes were looked at, once for each line end that is looked for, and how many were moved: what the work is measured by.
    private(set) var work = 0

    /// - Parameter limit: the most bytes that a line may have.
    package init(limit: Int = standardLimit, ending: Ending = .any) {
        self.limit = max(0, limit)
        self.ending = ending
    }

    /// Adds bytes, once ``next(_:)`` has given `nil` for those before.
    ///
    /// They are copied: an array's bytes are at hand for each line at no cost, those of `Data` aren't.
    package mutating func append(_ chunk: Data) {
        if place > 0 { moveRest() }
        scanned = bytes.count
        chunk.withUnsafeBytes { $0.withMemoryRebound(to: UInt8.self) { bytes.append(contentsOf: $0) } }
        work += chunk.count
        nextLF = -1
        nextCR = ending == .any ? -1 : bytes.count
    }

    /// Moves what is left to the beginning. Of a line that happens once: from then on it begins at 0.
    private mutating func moveRest() {
        work += bytes.count - place
        bytes.removeSubrange(..<place)
        place = 0
    }

    /// The room that one long line took isn't kept while the next bytes are waited for, which may be long.
    @inline(__always)
    private mutating func letGoOfRoom() {
        guard place > 0, bytes.capacity > Self.keptCapacity else { return }
        work += bytes.count - place
        bytes = Array(bytes[place...])
        (place, nextLF, nextCR, scanned) = (0, bytes.count, bytes.count, bytes.count)
    }

    /// How many bytes there is room for.
    var room: Int { bytes.capacity }

    /// The next line that is complete, or `nil` when more bytes are needed.
    ///
    /// - Parameter use: takes what it wants of the line; the bytes are good until it returns.
    /// - Throws: ``RequestError/stream(_:)`` for a line over the limit, with its number and beginning.
    @inline(__always)
    package mutating func next<Result>(_ use: (UnsafeRawBufferPointer) throws(RequestError) -> Result) throws(RequestError) -> Result? {
        try first { line throws(RequestError) in try use(line) }
    }

    /// What `use` makes of the first line of which it makes something; the lines before are passed over. `nil` when more bytes are
    /// needed.
    @inline(__always)
    mutating func first<Result>(_ use: (UnsafeRawBufferPointer) throws(RequestError) -> Result?) throws(RequestError) -> Result? {
        while let line = try nextLine() {
            if let result = try give(line, use) { return result }
        }
        return nil
    }

    /// The last line, when the bytes have ended without ending it.
    mutating func finish<Result>(_ use: (UnsafeRawBufferPointer) throws(RequestError) -> Result) throws(RequestError) -> Result? {
        guard place < bytes.count else { return nil }
        let line = place..<bytes.count
        place = bytes.count
        count += 1
        return try give(line, use)
    }

    /// Where the next line is, when its end is there.
    @inline(__always)
    private mutating func nextLine() throws(RequestError) -> Range<Int>? {
        guard place < bytes.count else {
            letGoOfRoom()
            return nil
        }
        if passesLF {
            passesLF = false
            if bytes[place] == Self.lineFeed {
                place += 1
                guard place < bytes.count else { return nil }
            }
        }
        if nextLF < place { nextLF = offset(of: Self.lineFeed) }
        if nextCR < place { nextCR = offset(of: Self.carriageReturn) }
        let line = place..<min(nextLF, nextCR)
        guard line.count <= limit else { throw tooLong(line) }
        guard line.upperBound < bytes.count else {
            letGoOfRoom()
            return nil
        }
        place = line.upperBound + 1
        if line.upperBound == nextCR {
            if place == bytes.count { passesLF = true } else if place == nextLF { place += 1 }
        }
        count += 1
        return line
    }

    @inline(__always)
    private func give<Result>(
        _ line: Range<Int>, _ use: (UnsafeRawBufferPointer) throws(RequestError) -> Result
    ) throws(RequestError) -> Result {
        try bytes.withUnsafeBufferPointer { bytes throws(RequestError) in
            try use(UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: bytes[line])))
        }
    }

    /// The room that is kept for what comes next.
    private static let keptCapacity = 64 << 10
    private static let lineFeed = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")

    /// Where a byte comes next; the count of the bytes for nowhere.
    @inline(__always)
    private mutating func offset(of byte: UInt8) -> Int {
        let start = max(place, scanned)
        guard start < bytes.count else { return bytes.count }
        work += 1
        // As at each blank line: a call would cost more than the look.
        if bytes[start] == byte { return start }
        let end = bytes.withUnsafeBytes { bytes in
            // `memchr` reads `count - start` bytes from `start` on, which lie in the buffer since 0 <= start < count; what it gives is an
            // address among them.
            guard let base = bytes.baseAddress, let found = memchr(base + start, Int32(byte), bytes.count - start) else {
                return bytes.count
            }
            return UnsafeRawPointer(found) - base
        }
        work += end - start
        return end
    }

    private func tooLong(_ line: Range<Int>) -> RequestError {
        .stream(
            .init(
                .init(position: count + 1, excerpt: StreamExcerpt.text(bytes[line])),
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
