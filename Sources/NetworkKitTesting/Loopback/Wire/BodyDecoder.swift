internal import NetworkKit
internal import PlatformBase

/// Takes a request's body out of the bytes that arrive (RFC 9112 §6.2, §7.1). Holds nothing but where it is.
struct BodyDecoder {
    enum Event {
        case data(Data)
        case end(trailers: HTTPFields)
    }

    private enum Position {
        case content(remaining: Int)
        case chunkSize
        case chunk(remaining: Int)
        case chunkEnd
        case trailers(LineSection)
        case end
        case failed(LoopbackError)
    }

    private var position: Position
    private let limit: Int

    /// - Parameter limit: the most bytes that the trailer section may have.
    init(_ framing: BodyFraming, limit: Int) {
        self.limit = limit
        switch framing {
        case .length(let count): position = count == 0 ? .end : .content(remaining: count)
        case .chunked: position = .chunkSize
        }
    }

    var isComplete: Bool {
        if case .end = position { true } else { false }
    }

    /// What comes next, or `nil` when more bytes are needed. After the end it goes on giving `.end`, without the trailers; after
    /// an error it goes on throwing it, so that a route which passes it over can't fall into step with the client again.
    mutating func next(from queue: inout ByteQueue) throws(LoopbackError) -> Event? {
        do {
            return try advance(queue: &queue)
        } catch {
            position = .failed(error)
            throw error
        }
    }

    private mutating func advance(queue: inout ByteQueue) throws(LoopbackError) -> Event? {
        while true {
            switch position {
            case .content(let remaining):
                if queue.isEmpty { return nil }
                let data = queue.take(upTo: remaining)
                position = data.count == remaining ? .end : .content(remaining: remaining - data.count)
                return .data(data)
            case .chunkSize:
                guard let line = try queue.takeLine() else {
                    if queue.count > Self.lineLimit { throw .malformed("the line of a chunk is too long") }
                    return nil
                }
                let size = try Self.size(line)
                position = size == 0 ? .trailers(LineSection(limit: limit)) : .chunk(remaining: size)
            case .chunk(let remaining):
                if queue.isEmpty { return nil }
                let data = queue.take(upTo: remaining)
                position = data.count == remaining ? .chunkEnd : .chunk(remaining: remaining - data.count)
                return .data(data)
            case .chunkEnd:
                // Two bytes are enough to tell: to look for the end of the line would be to take in what comes after it.
                guard queue.count >= 2 else { return nil }
                guard queue.take(upTo: 2).elementsEqual([0x0D, 0x0A]) else { throw .malformed("a chunk is longer than its size") }
                position = .chunkSize
            case .trailers(var section):
                let lines = try section.next(from: &queue, skipsEmptyFirst: false)
                position = .trailers(section)
                guard let lines else { return nil }
                position = .end
                return .end(trailers: try FieldLines.parse(lines[...]))
            case .end:
                return .end(trailers: [:])
            case .failed(let error):
                throw error
            }
        }
    }

    private static let lineLimit = 4 << 10

    /// The size of a chunk: hexadecimal digits and nothing else but extensions, which are passed over.
    private static func size(_ line: [UInt8]) throws(LoopbackError) -> Int {
        let digits = line.prefix { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }
        let rest = line[digits.endIndex...].drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        let text = String(decoding: digits, as: UTF8.self)
        guard !digits.isEmpty, digits.count <= 15, text.utf8.allSatisfy(isHexDigit), let size = Int(text, radix: 16) else {
            throw .malformed("\(Token.quoted(FieldLines.text(line))) is no size of a chunk")
        }
        guard rest.isEmpty || rest.first == UInt8(ascii: ";") else { throw .malformed("there is more than a size in the line of a chunk") }
        return size
    }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "A")...UInt8(ascii: "F"): true
        default: false
        }
    }
}
