import CZlib
import PlatformBase

/// Decompresses with zlib; `nil` when the data is damaged or not whole.
func inflated(_ data: Data, windowBits: Int32) -> Data? {
    var stream = nk_z_stream()
    guard nk_inflate_init(&stream, windowBits) == 0 else { return nil }
    defer { inflateEnd(&stream) }
    var result = Data()
    var output = [UInt8](repeating: 0, count: 1 << 16)
    return data.withUnsafeBytes { input in
        stream.next_in = input.bindMemory(to: UInt8.self).baseAddress
        stream.avail_in = UInt32(input.count)
        while true {
            let code = output.withUnsafeMutableBufferPointer { buffer in
                stream.next_out = buffer.baseAddress
                stream.avail_out = UInt32(buffer.count)
                return inflate(&stream, 0)
            }
            result.append(contentsOf: output.prefix(output.count - Int(stream.avail_out)))
            if code == 1 { return stream.avail_in == 0 ? result : nil }
            guard code == 0 else { return nil }
        }
    }
}
