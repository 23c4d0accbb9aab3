#if canImport(CCurl)
internal import PlatformBase

/// A library that is used where it is present and done without where it isn't.
struct OptionalLibrary: @unchecked Sendable {
    // A handle of dlopen may be used from any thread; this one is never closed.
    private let handle: UnsafeMutableRawPointer

    init?(_ name: String) {
        guard let handle = dlopen(name, RTLD_NOW | RTLD_LOCAL) else { return nil }
        self.handle = handle
    }

    func function<Function>(_ name: String, as type: Function.Type) -> Function? {
        dlsym(handle, name).map { unsafeBitCast($0, to: type) }
    }
}

/// Brotli (RFC 7932), by the decoder that curl uses where it is installed.
final class BrotliDecoder: StreamDecoder {
    private struct Functions: Sendable {
        let create: @convention(c) (UnsafeRawPointer?, UnsafeRawPointer?, UnsafeRawPointer?) -> OpaquePointer?
        let destroy: @convention(c) (OpaquePointer?) -> Void
        let decompress:
            @convention(c) (
                OpaquePointer?, UnsafeMutablePointer<Int>, UnsafeMutablePointer<UnsafePointer<UInt8>?>, UnsafeMutablePointer<Int>,
                UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>, UnsafeMutablePointer<Int>?
            ) -> CInt
    }

    private static let functions: Functions? = {
        guard let library = OptionalLibrary("libbrotlidec.so.1"),
            let create = library.function(
                "BrotliDecoderCreateInstance",
                as: (@convention(c) (UnsafeRawPointer?, UnsafeRawPointer?, UnsafeRawPointer?) -> OpaquePointer?).self),
            let destroy = library.function("BrotliDecoderDestroyInstance", as: (@convention(c) (OpaquePointer?) -> Void).self),
            let decompress = library.function(
                "BrotliDecoderDecompressStream",
                as: (@convention(c) (
                    OpaquePointer?, UnsafeMutablePointer<Int>, UnsafeMutablePointer<UnsafePointer<UInt8>?>, UnsafeMutablePointer<Int>,
                    UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>, UnsafeMutablePointer<Int>?
                ) -> CInt).self)
        else { return nil }
        return Functions(create: create, destroy: destroy, decompress: decompress)
    }()

    static var isAvailable: Bool { functions != nil }

    private let state = BrotliDecoder.functions?.create(nil, nil, nil)
    private var input = Data()
    private var offset = 0
    private var isAtEnd = false
    private var isBegun = false

    deinit { Self.functions?.destroy(state) }

    var isComplete: Bool { (isAtEnd || !isBegun) && offset == input.count }

    func feed(_ bytes: Data) {
        input = offset == input.count ? bytes : input.dropFirst(offset) + bytes
        offset = 0
        isBegun = isBegun || !bytes.isEmpty
    }

    func produce(upTo count: Int) throws(DecodingFault) -> Data {
        guard !isAtEnd else {
            guard offset == input.count else { throw DecodingFault(reason: "there is something behind its end") }
            return Data()
        }
        var code: CInt = 0
        let piece = try DecodedPiece.make(upTo: count) { target in
            input.withUnsafeBytes { bytes in
                var inCount = bytes.count - offset
                var next = bytes.baseAddress.map { $0.advanced(by: offset).assumingMemoryBound(to: UInt8.self) }
                var outCount = target.count
                var out = target.baseAddress?.assumingMemoryBound(to: UInt8.self)
                code = Self.functions?.decompress(state, &inCount, &next, &outCount, &out, nil) ?? 0
                offset = bytes.count - inCount
                return target.count - outCount
            }
        }
        guard code != 0 else { throw DecodingFault(reason: "the data is corrupt") }
        isAtEnd = code == 1
        return piece
    }
}

/// Zstandard (RFC 8878), by the decoder that curl uses where it is installed.
final class ZstdDecoder: StreamDecoder {
    private struct InBuffer {
        var bytes: UnsafeRawPointer?
        var size: Int
        var position: Int
    }
    private struct OutBuffer {
        var bytes: UnsafeMutableRawPointer?
        var size: Int
        var position: Int
    }
    private struct Functions: Sendable {
        let create: @convention(c) () -> OpaquePointer?
        let free: @convention(c) (OpaquePointer?) -> Int
        let set: @convention(c) (OpaquePointer?, CInt, CInt) -> Int
        let decompress: @convention(c) (OpaquePointer?, UnsafeMutableRawPointer, UnsafeMutableRawPointer) -> Int
        let isError: @convention(c) (Int) -> CUnsignedInt
    }

    private static let functions: Functions? = {
        guard let library = OptionalLibrary("libzstd.so.1"),
            let create = library.function("ZSTD_createDCtx", as: (@convention(c) () -> OpaquePointer?).self),
            let free = library.function("ZSTD_freeDCtx", as: (@convention(c) (OpaquePointer?) -> Int).self),
            let set = library.function("ZSTD_DCtx_setParameter", as: (@convention(c) (OpaquePointer?, CInt, CInt) -> Int).self),
            let decompress = library.function(
                "ZSTD_decompressStream",
                as: (@convention(c) (OpaquePointer?, UnsafeMutableRawPointer, UnsafeMutableRawPointer) -> Int).self),
            let isError = library.function("ZSTD_isError", as: (@convention(c) (Int) -> CUnsignedInt).self)
        else { return nil }
        return Functions(create: create, free: free, set: set, decompress: decompress, isError: isError)
    }()

    static var isAvailable: Bool { functions != nil }

    private let state: OpaquePointer?
    private var input = Data()
    private var offset = 0
    private var isFrameOpen = false

    init() {
        state = Self.functions?.create()
        // A window of at most 8 MiB, as RFC 9659 asks of content that browsers and other clients are to read.
        let windowLogMax: CInt = 100
        _ = Self.functions?.set(state, windowLogMax, 23)
    }

    deinit { _ = Self.functions?.free(state) }

    var isComplete: Bool { !isFrameOpen && offset == input.count }

    func feed(_ bytes: Data) {
        input = offset == input.count ? bytes : input.dropFirst(offset) + bytes
        offset = 0
    }

    func produce(upTo count: Int) throws(DecodingFault) -> Data {
        var output = Data()
        // A frame may hold nothing, and the next one something.
        repeat { output = try decompressOnce(upTo: count) } while output.isEmpty && offset < input.count
        return output
    }

    private func decompressOnce(upTo count: Int) throws(DecodingFault) -> Data {
        guard let functions = Self.functions else { throw DecodingFault(reason: "libzstd isn't there") }
        guard offset < input.count || isFrameOpen else { return Data() }
        var code = 0
        let piece = try DecodedPiece.make(upTo: count) { target in
            input.withUnsafeBytes { bytes in
                var source = InBuffer(bytes: bytes.baseAddress, size: bytes.count, position: offset)
                var sink = OutBuffer(bytes: target.baseAddress, size: target.count, position: 0)
                code = functions.decompress(state, &sink, &source)
                offset = source.position
                return sink.position
            }
        }
        guard functions.isError(code) == 0 else { throw DecodingFault(reason: "the data is corrupt or its window too large") }
        isFrameOpen = code != 0
        return piece
    }
}
#endif
