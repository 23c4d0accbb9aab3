internal import NetworkKit
internal import PlatformBase

/// Where the body of an answer comes from.
enum ResponseBodySource: Sendable {
    /// Bytes that are there, sent in pieces of `slice` bytes, or in one.
    case data(Data, slice: Int? = nil)
    case pieces([Data])
    case generated(count: Int, chunk: Int)
    case sequence(@Sendable () -> any PieceIterator)

    /// The length in bytes, where it is known and is to be told.
    var length: Int? {
        switch self {
        case .data(let data, _): data.count
        case .generated(let count, _): count
        case .pieces, .sequence: nil
        }
    }

    func makeIterator() -> any PieceIterator {
        switch self {
        case .data(let data, nil): ListedPieces(pieces: [data])
        case .data(let data, let slice?): SlicedPieces(ListedPieces(pieces: [data]), size: slice)
        case .pieces(let pieces): ListedPieces(pieces: pieces)
        case .generated(let count, let chunk): GeneratedPieces(count: count, chunk: chunk)
        case .sequence(let make): make()
        }
    }

    /// The same bytes in pieces of one size.
    func resliced(into size: Int) -> ResponseBodySource {
        switch self {
        case .data(let data, _): .data(data, slice: size)
        case .generated(let count, _): .generated(count: count, chunk: size)
        case .pieces, .sequence: .sequence { SlicedPieces(makeIterator(), size: size) }
        }
    }

    /// The bytes compressed: at once where they are there, else as they come.
    func compressed(_ format: Deflater.Format) -> ResponseBodySource {
        switch self {
        case .data(let data, _):
            return .data(Deflater.compressed(data, format))
        case .pieces, .generated, .sequence:
            return .sequence { CompressedPieces(makeIterator(), format) }
        }
    }
}

/// The pieces of a body, one after the other. No piece is empty.
protocol PieceIterator {
    mutating func next() async throws -> Data?
}

/// Pieces that are there.
private struct ListedPieces: PieceIterator {
    var pieces: [Data]
    var index = 0

    mutating func next() -> Data? {
        while index < pieces.count {
            index += 1
            if !pieces[index - 1].isEmpty { return pieces[index - 1] }
        }
        return nil
    }
}

/// Pieces of bytes that count up, all cut from one block.
private struct GeneratedPieces: PieceIterator {
    private let count: Int
    private let chunk: Int
    private let block: Data
    private var offset = 0

    init(count: Int, chunk: Int) {
        self.count = count
        self.chunk = min(chunk, 1 << 20)
        block = Data((0..<min(self.chunk, count) + 251).map { UInt8($0 % 251) })
    }

    mutating func next() -> Data? {
        guard offset < count else { return nil }
        let start = offset % 251
        let size = min(chunk, count - offset)
        offset += size
        return block[start..<start + size]
    }
}

/// The pieces of an asynchronous sequence.
struct SequencePieces<Iterator: AsyncIteratorProtocol>: PieceIterator where Iterator.Element == Data {
    private var iterator: Iterator

    init(_ iterator: Iterator) { self.iterator = iterator }

    mutating func next() async throws -> Data? {
        while let piece = try await iterator.next() {
            if !piece.isEmpty { return piece }
        }
        return nil
    }
}

/// The bytes of other pieces in pieces of one size.
private struct SlicedPieces: PieceIterator {
    private var base: any PieceIterator
    private let size: Int
    private var rest = Data()

    init(_ base: any PieceIterator, size: Int) {
        self.base = base
        self.size = size
    }

    mutating func next() async throws -> Data? {
        while rest.count < size, let more = try await base.next() {
            if rest.isEmpty { rest = more } else { rest.append(more) }
        }
        guard !rest.isEmpty else { return nil }
        defer { rest = rest.dropFirst(size) }
        return rest.prefix(size)
    }
}
