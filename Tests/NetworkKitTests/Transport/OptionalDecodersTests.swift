#if canImport(CCurl)
import Foundation
import Testing

@testable import NetworkKit

@Suite("Brotli", .enabled(if: BrotliDecoder.isAvailable, "libbrotlidec isn't installed"))
struct BrotliDecoderTests {
    @Test("A body is decoded whole and one byte at a time")
    func whole() {
        #expect(Decoded([Coded.brotli], by: BrotliDecoder()) == Decoded(Coded.text))
        #expect(Decoded(Coded.brotli.bytewise, by: BrotliDecoder()) == Decoded(Coded.text))
        #expect(Decoded([Coded.brotli], by: BrotliDecoder(), upTo: 1) == Decoded(Coded.text))
    }

    @Test("Nothing coded is nothing, and so is no byte at all")
    func empty() {
        #expect(Decoded([Coded.emptyBrotli], by: BrotliDecoder()) == Decoded(Data()))
        #expect(Decoded([], by: BrotliDecoder()) == Decoded(Data()))
        #expect(Decoded([Data()], by: BrotliDecoder()) == Decoded(Data()))
    }

    @Test("A body cut off anywhere is never a short success")
    func truncated() {
        for count in 1..<Coded.brotli.count {
            #expect(Decoded([Coded.brotli.prefix(count)], by: BrotliDecoder()).isBroken, "cut at \(count)")
        }
    }

    @Test("What is corrupt or followed by something else is a fault")
    func corrupt() {
        #expect(Decoded([Data("<html>".utf8)], by: BrotliDecoder()).isBroken)
        for coded in [Coded.brotli, Coded.emptyBrotli] {
            #expect(Decoded([coded + Data("x".utf8)], by: BrotliDecoder()).isBroken)
            #expect(Decoded((coded + Data("x".utf8)).bytewise, by: BrotliDecoder()).isBroken)
        }
    }

    @Test("A bomb comes out piece by piece, each within its bound")
    func bomb() throws {
        let decoder = BrotliDecoder()
        decoder.feed(Coded.brotliBomb)
        var total = 0
        while true {
            let piece = try decoder.produce(upTo: 1 << 16)
            #expect(piece.count <= 1 << 16)
            if piece.isEmpty { break }
            total += piece.count
        }
        #expect(total == 32 << 20 && decoder.isComplete)
    }
}

@Suite("Zstandard", .enabled(if: ZstdDecoder.isAvailable, "libzstd isn't installed"))
struct ZstdDecoderTests {
    @Test("A body is decoded whole and one byte at a time")
    func whole() {
        #expect(Decoded([Coded.zstd], by: ZstdDecoder()) == Decoded(Coded.text))
        #expect(Decoded(Coded.zstd.bytewise, by: ZstdDecoder()) == Decoded(Coded.text))
        #expect(Decoded([Coded.zstd], by: ZstdDecoder(), upTo: 1) == Decoded(Coded.text))
    }

    @Test("Nothing coded is nothing, and so is no byte at all")
    func empty() {
        #expect(Decoded([Coded.emptyZstd], by: ZstdDecoder()) == Decoded(Data()))
        #expect(Decoded([], by: ZstdDecoder()) == Decoded(Data()))
        #expect(Decoded([Data()], by: ZstdDecoder()) == Decoded(Data()))
    }

    @Test("Frames one behind another, skippable ones among them, are one body")
    func frames() {
        let skippable = Data([0x50, 0x2A, 0x4D, 0x18, 3, 0, 0, 0, 1, 2, 3])
        let body = Coded.zstd + skippable + Coded.zstd
        #expect(Decoded([body], by: ZstdDecoder()) == Decoded(Coded.text + Coded.text))
        #expect(Decoded(body.bytewise, by: ZstdDecoder()) == Decoded(Coded.text + Coded.text))
    }

    @Test("A body cut off anywhere is never a short success")
    func truncated() {
        for count in 1..<Coded.zstd.count {
            #expect(Decoded([Coded.zstd.prefix(count)], by: ZstdDecoder()).isBroken, "cut at \(count)")
            #expect(Decoded([Coded.zstd + Coded.zstd.prefix(count)], by: ZstdDecoder()).isBroken, "second frame cut at \(count)")
        }
    }

    @Test("What is corrupt or followed by something else is a fault")
    func corrupt() {
        var coded = Coded.zstd
        coded[coded.count - 1] ^= 1
        for body in [coded, Data("<html>".utf8), Coded.zstd + Data("xxxxx".utf8), Coded.zstd + Data("x".utf8)] {
            #expect(Decoded([body], by: ZstdDecoder()).isBroken)
            #expect(Decoded(body.bytewise, by: ZstdDecoder()).isBroken)
        }
    }

    @Test("A bomb comes out piece by piece, and one that wants a large window is refused")
    func bomb() throws {
        let decoder = ZstdDecoder()
        decoder.feed(Coded.zstdZeros(blocks: 256, windowLog: 20))
        var total = 0
        while true {
            let piece = try decoder.produce(upTo: 1 << 16)
            #expect(piece.count <= 1 << 16)
            if piece.isEmpty { break }
            total += piece.count
        }
        #expect(total == 32 << 20 && decoder.isComplete)
        #expect(!Decoded([Coded.zstdZeros(blocks: 1, windowLog: 23)], by: ZstdDecoder()).isBroken)
        #expect(Decoded([Coded.zstdZeros(blocks: 1, windowLog: 24)], by: ZstdDecoder()) == Decoded(Data(), isBroken: true))
    }
}
#endif
