import PlatformBase
import Testing

@testable import NetworkKit

@Suite("Bytes as they come")
struct ByteBufferTests {
    @Test("What was added is what is taken, whatever length was declared", arguments: [0, 10, 100_000, 20 << 20, Int.max])
    func declaredLengths(_ declared: Int) {
        var buffer = ByteBuffer()
        buffer.reserve(declared)
        var whole = Data()
        // Past the bound to which a declared length is believed.
        for piece in 0..<40 {
            let bytes = [UInt8](repeating: UInt8(piece), count: 300_000)
            let isAdded = bytes.withUnsafeBytes { buffer.append($0) }
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
}
