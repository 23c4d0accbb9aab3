#if canImport(CCurl)
import CZlib
import Foundation

@testable import NetworkKit

/// Bytes coded in all the ways that answers are.
enum Coded {
    enum Container: Int32 {
        case raw = -15
        case zlib = 15
        case gzip = 31
    }

    static let text = Data(String(repeating: "The quick brown fox jumps over the lazy dog. ", count: 8).utf8)
    static let brotli = base64("G2cBiCwOeNPQlV2XELsXK6nK0JLMjK1BXObyNsgZnp4Ke4MNOHBIIG8kvEGnFc4cHieqKTjCqe/TYA==")
    static let emptyBrotli = base64("Bg==")
    /// 32 MiB of zeros.
    static let brotliBomb = base64("y///P/gnAOKxQCD3/o///3/wTwDEYRGA7v0f////4J8AiMMCAN37v/z//8M/ARCHBQC6938=")
    static let zstd = base64("KLUv/QRotQEA1AJUaGUgcXVpY2sgYnJvd24gZm94IGp1bXBzIG92ZXIgdGhlIGxhenkgZG9nLiABAMWBqioD5CGx5g==")
    static let emptyZstd = base64("KLUv/SQAAQAAmenYUQ==")

    /// A MiB of zeros to each member, so that little memory makes much.
    static func gzipBomb(mebibytes: Int) -> Data {
        let member = deflated(Data(count: 1 << 20), .gzip)
        return (0..<mebibytes).reduce(into: Data()) { bomb, _ in bomb += member }
    }

    /// A frame of zeros (RFC 8878 §3.1.1), 128 KiB a block, with a window of 2 to the power of `windowLog` bytes.
    static func zstdZeros(blocks: Int, windowLog: UInt8) -> Data {
        var frame = Data([0x28, 0xB5, 0x2F, 0xFD, 0x00, (windowLog - 10) << 3])
        for block in 0..<blocks {
            let isLast = block == blocks - 1
            frame += [isLast ? 0x03 : 0x02, 0x00, 0x10, 0x00]  // the same byte, 128 KiB times
        }
        return frame
    }

    static func deflated(_ data: Data, _ container: Container) -> Data {
        var stream = nk_z_stream()
        nk_deflate_init(&stream, 9, container.rawValue)
        defer { deflateEnd(&stream) }
        var output = [UInt8](repeating: 0, count: data.count + 1024)
        var input = [UInt8](data)
        let count = input.count
        input.withUnsafeMutableBufferPointer { source in
            output.withUnsafeMutableBufferPointer { target in
                stream.next_in = UnsafePointer(source.baseAddress)
                stream.avail_in = UInt32(count)
                stream.next_out = target.baseAddress
                stream.avail_out = UInt32(target.count)
                _ = deflate(&stream, Int32(NK_Z_FINISH))
            }
        }
        return Data(output.prefix(Int(stream.total_out)))
    }

    private static func base64(_ text: String) -> Data { Data(base64Encoded: text) ?? Data() }
}

/// What a decoder makes of bytes that come in pieces.
struct Decoded: Equatable {
    var data = Data()
    /// Whether it failed, or thought that the end was still to come.
    var isBroken = false

    init(_ pieces: [Data], by decoder: some StreamDecoder, upTo count: Int = 1024) {
        do throws(DecodingFault) {
            for piece in pieces {
                decoder.feed(piece)
                while true {
                    let more = try decoder.produce(upTo: count)
                    if more.isEmpty { break }
                    data += more
                }
            }
            isBroken = !decoder.isComplete
        } catch {
            isBroken = true
        }
    }

    init(_ data: Data, isBroken: Bool = false) {
        self.data = data
        self.isBroken = isBroken
    }
}

extension Data {
    /// The bytes one by one.
    var bytewise: [Data] { map { Data([$0]) } }
}
#endif
