internal import CZlib
internal import PlatformBase

/// Compresses with zlib. Not for use by two tasks at once.
final class Deflater {
    enum Format: Int32, Sendable {
        case gzip = 31
        case zlib = 15
        case raw = -15
    }

    // zlib keeps the address of its state, so that it must not move.
    private let stream = UnsafeMutablePointer<nk_z_stream>.allocate(capacity: 1)

    init(_ format: Format) {
        stream.initialize(to: nk_z_stream())
        // It fails on arguments out of range or without memory only.
        let code = nk_deflate_init(stream, 6, format.rawValue)
        precondition(code == Int32(NK_Z_OK), "zlib could not be set up: \(code)")
    }

    deinit {
        deflateEnd(stream)
        stream.deallocate()
    }

    func deflate(_ data: Data) -> Data {
        var result = Data()
        var rest = data
        while !rest.isEmpty {
            // zlib counts in 32 bits.
            result.append(run(rest.prefix(1 << 30), flush: Int(NK_Z_NO_FLUSH)))
            rest = rest.dropFirst(1 << 30)
        }
        return result
    }

    /// The end of the compressed data; nothing may come after it.
    func finish() -> Data { run(Data(), flush: Int(NK_Z_FINISH)) }

    private func run(_ data: Data, flush: Int) -> Data {
        var result = Data()
        data.withUnsafeBytes { input in
            stream.pointee.next_in = input.bindMemory(to: UInt8.self).baseAddress
            stream.pointee.avail_in = UInt32(input.count)
            withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 32 << 10) { output in
                repeat {
                    stream.pointee.next_out = output.baseAddress
                    stream.pointee.avail_out = UInt32(output.count)
                    _ = CZlib.deflate(stream, Int32(flush))
                    result.append(contentsOf: output.prefix(output.count - Int(stream.pointee.avail_out)))
                } while stream.pointee.avail_out == 0
            }
        }
        return result
    }
}
