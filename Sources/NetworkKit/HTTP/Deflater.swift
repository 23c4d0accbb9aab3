internal import CZlib
package import PlatformBase

/// Compresses with zlib. Not for use by two tasks at once.
package final class Deflater {
    package enum Format: Int32, Sendable {
        case gzip = 31
        case zlib = 15
        case raw = -15
    }

    // zlib keeps the address of its state, so that it must not move.
    private let stream = UnsafeMutablePointer<nk_z_stream>.allocate(capacity: 1)
    private static let level: Int32 = 6

    /// `nil` when there is no memory, 256 KiB of which it takes.
    package init?(_ format: Format) {
        stream.initialize(to: nk_z_stream())
        // It fails on arguments out of range or without memory only.
        guard nk_deflate_init(stream, Self.level, format.rawValue) == Int32(NK_Z_OK) else { return nil }
    }

    deinit {
        // Of a stream that wasn't begun zlib says that it is none.
        deflateEnd(stream)
        stream.deallocate()
    }

    /// What is compressed of all that was given so far, and hasn't been handed out yet; often nothing.
    package func deflate(_ data: Data) -> Data {
        var result = Data()
        var rest = data
        while !rest.isEmpty {
            // zlib counts in 32 bits.
            run(rest.prefix(1 << 30), flush: Int(NK_Z_NO_FLUSH), into: &result)
            rest = rest.dropFirst(1 << 30)
        }
        return result
    }

    /// The end of the compressed data; nothing may come after it.
    package func finish() -> Data {
        var result = Data()
        run(Data(), flush: Int(NK_Z_FINISH), into: &result)
        return result
    }

    private func run(_ data: Data, flush: Int, into result: inout Data) {
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
    }
}
