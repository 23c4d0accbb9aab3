import PlatformBase
import Testing

@testable import NetworkKit

@Suite("Bytes as they come")
struct ByteBufferTests {
    @Test("What was added is what is taken, whatever length was declared", arguments: [0, 10, 100_000, 20 << 20, Int.max], [true, false])
    func declaredLengths(_ declared: Int, gathers: Bool) {
        var buffer = ByteBuffer(blocks: BlockPool())
        buffer.reserve(declared)
        var whole = Data()
        // Past the bound to which a declared length is believed.
        for piece in 0..<40 {
            let bytes = [UInt8](repeating: UInt8(piece), count: 300_000)
            let isAdded = bytes.withUnsafeBytes { buffer.append($0, gathers: gathers) }
            #expect(isAdded)
            whole.append(contentsOf: bytes)
        }
        #expect(buffer.count == whole.count)
        let taken = buffer.take()
        #expect(taken == whole)
        #expect(buffer.count == 0)
        let rest = buffer.take()
        #expect(rest.isEmpty)
    }

    @Test("A stream's block is used again when its reader has let go of it")
    func blocksAreUsedAgain() {
        let pool = BlockPool()
        func fill(_ byte: UInt8) -> (Data, UInt) {
            var buffer = ByteBuffer(blocks: pool)
            let bytes = [UInt8](repeating: byte, count: BlockPool.blockSize)
            _ = bytes.withUnsafeBytes { buffer.append($0, gathers: false) }
            let isFull = buffer.isFull(with: 1)
            #expect(isFull)
            let data = buffer.take()
            return (data, data.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) })
        }
        let (first, firstPlace) = fill(1)
        let (second, secondPlace) = fill(2)
        #expect(firstPlace != secondPlace && first.allSatisfy { $0 == 1 } && second.allSatisfy { $0 == 2 })
        _ = consume first
        let (third, thirdPlace) = fill(3)
        #expect(thirdPlace == firstPlace && third.allSatisfy { $0 == 3 })
    }

    @Test("A few bytes of a stream don't hold a block")
    func smallPieces() {
        let pool = BlockPool()
        var buffer = ByteBuffer(blocks: pool)
        var pieces: [Data] = []
        for byte in UInt8(0)..<50 {
            _ = [byte].withUnsafeBytes { buffer.append($0, gathers: false) }
            pieces.append(buffer.take())
        }
        #expect(pieces == (UInt8(0)..<50).map { Data([$0]) })
    }
}
