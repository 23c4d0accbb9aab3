internal import NetworkKit
internal import PlatformBase

extension Deflater {
    /// One for a server of tests, which is lost without memory.
    static func make(_ format: Format) -> Deflater {
        guard let deflater = Deflater(format) else { preconditionFailure("there is no memory to compress with") }
        return deflater
    }

    /// The bytes compressed.
    static func compressed(_ data: Data, _ format: Format) -> Data {
        let deflater = make(format)
        return deflater.deflate(data) + deflater.finish()
    }
}

/// Other pieces, compressed.
struct CompressedPieces: PieceIterator {
    private var base: any PieceIterator
    private let deflater: Deflater
    private var isFinished = false

    init(_ base: any PieceIterator, _ format: Deflater.Format) {
        self.base = base
        deflater = .make(format)
    }

    mutating func next() async throws -> Data? {
        while let piece = try await base.next() {
            let out = deflater.deflate(piece)
            if !out.isEmpty { return out }
        }
        if isFinished { return nil }
        isFinished = true
        return deflater.finish()
    }
}
