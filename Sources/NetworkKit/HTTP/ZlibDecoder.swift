internal import CZlib
internal import PlatformBase

/// gzip (RFC 1952) and deflate (RFC 1950, or RFC 1951 as some servers send it), by the system's zlib.
final class ZlibDecoder: StreamDecoder {
    enum Format {
        case gzip
        case deflate
    }

    private let format: Format
    private var stream = nk_z_stream()
    private var isOpen = false
    private var isAtEnd = false
    private var input = Data()
    private var offset = 0

    init(_ format: Format) { self.format = format }

    deinit { if isOpen { inflateEnd(&stream) } }

    var isComplete: Bool { (isAtEnd || !isOpen) && offset == input.count }

    func feed(_ bytes: Data) {
        input = offset == input.count ? bytes : input.dropFirst(offset) + bytes
        offset = 0
    }

    func produce(upTo count: Int) throws(DecodingFault) -> Data {
        var output = Data()
        while output.isEmpty && offset < input.count {
            if isAtEnd, try !beginNextMember() { return output }
            if !isOpen, try !open() { return output }
            output = try inflateOnce(upTo: count)
        }
        // zlib may hold output of input that is used up.
        if output.isEmpty && isOpen && !isAtEnd { output = try inflateOnce(upTo: count) }
        return output
    }

    /// Behind one gzip member another may follow (RFC 1952 §2.2), or the zeros with which some pad.
    private func beginNextMember() throws(DecodingFault) -> Bool {
        while format == .gzip, offset < input.count, byte(offset) == 0 { offset += 1 }
        guard offset < input.count else { return false }
        guard format == .gzip, byte(offset) == 0x1F else { throw DecodingFault(reason: "there is something behind its end") }
        isAtEnd = false
        inflateReset(&stream)
        return true
    }

    /// Begins to inflate; `false` while it can't be told yet which form of deflate it is.
    private func open() throws(DecodingFault) -> Bool {
        let windowBits: Int32
        switch format {
        case .gzip: windowBits = 15 + 16
        case .deflate:
            guard input.count - offset >= 2 else { return false }
            // The header of RFC 1950: method 8, and the two bytes a multiple of 31.
            let (first, second) = (UInt16(byte(offset)), UInt16(byte(offset + 1)))
            windowBits = first & 0x0F == 8 && (first << 8 | second) % 31 == 0 ? 15 : -15
        }
        guard nk_inflate_init(&stream, windowBits) == NK_Z_OK else { throw DecodingFault(reason: "zlib can't begin: out of memory") }
        isOpen = true
        return true
    }

    private func inflateOnce(upTo count: Int) throws(DecodingFault) -> Data {
        var code: Int32 = 0
        let piece = try DecodedPiece.make(upTo: count) { target in
            input.withUnsafeBytes { bytes in
                let rest = UnsafeRawBufferPointer(rebasing: bytes[offset...])
                stream.next_in = rest.baseAddress?.assumingMemoryBound(to: UInt8.self)
                stream.avail_in = UInt32(clamping: rest.count)
                stream.next_out = target.baseAddress?.assumingMemoryBound(to: UInt8.self)
                stream.avail_out = UInt32(clamping: target.count)
                code = inflate(&stream, Int32(NK_Z_NO_FLUSH))
                offset += min(rest.count, Int(UInt32(clamping: rest.count) - stream.avail_in))
                return target.count - Int(stream.avail_out)
            }
        }
        switch Int(code) {
        case NK_Z_STREAM_END: isAtEnd = true
        case NK_Z_OK, NK_Z_BUF_ERROR: break
        default: throw DecodingFault(reason: stream.msg.map { String(cString: $0) } ?? "zlib error \(code)")
        }
        return piece
    }

    private func byte(_ position: Int) -> UInt8 { input[input.startIndex + position] }
}
