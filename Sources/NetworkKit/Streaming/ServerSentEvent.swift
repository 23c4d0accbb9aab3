package import PlatformBase

/// An event of an event stream (WHATWG HTML §9.2).
public struct ServerSentEvent: Sendable, Hashable {
    /// What kind of event it is; `message` where the server names none.
    public var type: String
    /// What it says; several lines are joined by LF.
    public var data: String
    /// The last event ID as of this event: its own, or that of an earlier one when it has none. Empty when there is none.
    public var id: String

    /// An event.
    public init(type: String = "message", data: String, id: String = "") {
        self.type = type
        self.data = data
        self.id = id
    }
}

/// Makes events from the bytes of one connection, as WHATWG HTML §9.2.6 says, byte for byte.
///
/// What a connection leaves unfinished goes with its parser; the last event ID is handed to the next.
///
/// Known to the package for the sake of its benchmark.
package struct ServerSentEventParser {
    /// The most bytes of an event's data where nobody says otherwise: 16 MiB.
    package static let standardLimit = LineSplitter.standardLimit

    private var splitter: LineSplitter
    private var block: EventBlock

    /// - Parameter limit: the most bytes that a line, and the data of an event, may have.
    package init(lastEventID: String = "", limit: Int = standardLimit) {
        splitter = LineSplitter(limit: limit)
        block = EventBlock(lastEventID: lastEventID, limit: limit)
    }

    /// What is sent as `Last-Event-ID` when the connection is made again: the ID of the last block that was whole.
    var lastEventID: String { block.lastEventID }
    /// How long to wait before that, when the server has said.
    var retry: Duration? { block.retry }

    /// Adds bytes, once ``next()`` has given `nil` for those before.
    package mutating func append(_ chunk: Data) { splitter.append(chunk) }

    /// The next event that is whole, or `nil` when more bytes are needed.
    ///
    /// - Throws: ``RequestError/stream(_:)`` for a line or an event that is too large.
    package mutating func next() throws(RequestError) -> ServerSentEvent? { try Self.next(&splitter, &block) }

    private static func next(_ splitter: inout LineSplitter, _ block: inout EventBlock) throws(RequestError) -> ServerSentEvent? {
        try splitter.first { line throws(RequestError) in try block.take(line) }
    }
}

/// The fields of an event so far.
private struct EventBlock {
    private(set) var lastEventID: String
    private(set) var retry: Duration?
    private let limit: Int
    private var isStart = true
    /// The standard's "data buffer": text while it is one line, as it is in nearly all events, and then bytes; and how many there are, with
    /// the line ends.
    private var line: String?
    private var lines: [UInt8] = []
    private var size = 0
    /// The standard's "event type buffer" and "last event ID buffer".
    private var type = ""
    private var id: String
    private var hasNewID = false
    private var count = 0

    init(lastEventID: String, limit: Int) {
        self.lastEventID = lastEventID
        id = lastEventID
        self.limit = limit
    }

    /// Takes a line; gives the event that it ends.
    mutating func take(_ line: UnsafeRawBufferPointer) throws(RequestError) -> ServerSentEvent? {
        var line = line
        if isStart {
            isStart = false
            line = ByteOrderMark.removed(from: line)
        }
        guard let first = line.first else { return dispatch() }
        switch first {
        case UInt8(ascii: "d"):
            guard let value = Self.value("data", line) else { return nil }
            guard size + value.count <= limit else { throw tooLarge() }
            add(value)
        case UInt8(ascii: "e"):
            if let value = Self.value("event", line) { type = String(decoding: value, as: UTF8.self) }
        case UInt8(ascii: "i"):
            guard let value = Self.value("id", line), !value.contains(0) else { return nil }
            id = String(decoding: value, as: UTF8.self)
            hasNewID = true
        case UInt8(ascii: "r"):
            if let value = Self.value("retry", line), let time = Self.milliseconds(value) { retry = time }
        default:
            // A comment, or a field that nobody knows.
            break
        }
        return nil
    }

    /// Adds a line of data. Lines may be made text one by one: an LF between them ends whatever is no UTF-8 before it.
    @inline(__always)
    private mutating func add(_ value: UnsafeRawBufferPointer) {
        let isFirst = size == 0
        size += value.count + 1
        if isFirst { return line = String(decoding: value, as: UTF8.self) }
        if let line = line.take() { lines.append(contentsOf: line.utf8) }
        lines.append(UInt8(ascii: "\n"))
        value.withMemoryRebound(to: UInt8.self) { lines.append(contentsOf: $0) }
    }

    @inline(__always)
    private mutating func dispatch() -> ServerSentEvent? {
        // Most blocks have neither an ID nor a type, and to hand a text on isn't free.
        if hasNewID {
            hasNewID = false
            lastEventID = id
        }
        var kind = "message"
        if !type.isEmpty {
            kind = type
            type = ""
        }
        // An empty line of data counts too.
        guard size > 0 else { return nil }
        size = 0
        count += 1
        return ServerSentEvent(type: kind, data: line.take() ?? takeLines(), id: id)
    }

    private mutating func takeLines() -> String {
        defer { lines.removeAll(keepingCapacity: lines.capacity <= Self.keptCapacity) }
        return String(decoding: lines, as: UTF8.self)
    }

    /// The value of a field, when the line is of that name: what stands behind the colon and at most one space.
    @inline(__always)
    private static func value(_ name: StaticString, _ line: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
        let length = name.utf8CodeUnitCount
        guard line.count >= length, let base = line.baseAddress, memcmp(base, name.utf8Start, length) == 0 else { return nil }
        if line.count == length { return UnsafeRawBufferPointer(rebasing: line[length...]) }
        guard line[length] == UInt8(ascii: ":") else { return nil }
        let hasSpace = line.count > length + 1 && line[length + 1] == UInt8(ascii: " ")
        return UnsafeRawBufferPointer(rebasing: line[(length + (hasSpace ? 2 : 1))...])
    }

    /// ASCII digits as a number of milliseconds; a number beyond all sense is as long as one gets.
    private static func milliseconds(_ digits: UnsafeRawBufferPointer) -> Duration? {
        guard !digits.isEmpty, digits.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else { return nil }
        let number = digits.reduce(into: Int64(0)) { $0 = min($0, longest) * 10 + Int64($1 - 0x30) }
        return .milliseconds(min(number, longest))
    }

    /// Some 30 years.
    private static let longest: Int64 = 1_000_000_000_000
    private static let keptCapacity = 64 << 10

    private func tooLarge() -> RequestError {
        .stream(
            .init(
                .init(position: count + 1, excerpt: StreamExcerpt.text(line.map { Array($0.utf8.prefix(StreamExcerpt.limit)) } ?? lines)),
                reason: "event \(count + 1) has more than \(limit) bytes of data, the most that an event may have here"))
    }
}
