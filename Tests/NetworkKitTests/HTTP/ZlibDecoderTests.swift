#if canImport(CCurl)
import Foundation
import Testing

@testable import NetworkKit

@Suite("gzip and deflate")
struct ZlibDecoderTests {
    private static let forms: [(ZlibDecoder.Format, Coded.Container)] = [(.gzip, .gzip), (.deflate, .zlib), (.deflate, .raw)]

    @Test("A body is decoded whole and one byte at a time", arguments: forms)
    func whole(format: ZlibDecoder.Format, container: Coded.Container) {
        let coded = Coded.deflated(Coded.text, container)
        #expect(Decoded([coded], by: ZlibDecoder(format)) == Decoded(Coded.text))
        #expect(Decoded(coded.bytewise, by: ZlibDecoder(format)) == Decoded(Coded.text))
        #expect(Decoded([coded], by: ZlibDecoder(format), upTo: 1) == Decoded(Coded.text))
        #expect(Decoded([Data(), coded.prefix(7), Data(), coded.dropFirst(7)], by: ZlibDecoder(format)) == Decoded(Coded.text))
    }

    @Test("Nothing coded is nothing, and so is no byte at all", arguments: forms)
    func empty(format: ZlibDecoder.Format, container: Coded.Container) {
        #expect(Decoded([Coded.deflated(Data(), container)], by: ZlibDecoder(format)) == Decoded(Data()))
        #expect(Decoded([], by: ZlibDecoder(format)) == Decoded(Data()))
        #expect(Decoded([Data()], by: ZlibDecoder(format)) == Decoded(Data()))
    }

    @Test("A body cut off anywhere is never a short success", arguments: forms)
    func truncated(format: ZlibDecoder.Format, container: Coded.Container) {
        let coded = Coded.deflated(Coded.text, container)
        for count in 1..<coded.count {
            #expect(Decoded([coded.prefix(count)], by: ZlibDecoder(format)).isBroken, "cut at \(count)")
            #expect(Decoded(coded.prefix(count).bytewise, by: ZlibDecoder(format)).isBroken, "cut at \(count), byte by byte")
        }
    }

    @Test(
        "A checksum that doesn't fit is a fault",
        arguments: [(.gzip, .gzip, 8), (.gzip, .gzip, 4), (.deflate, .zlib, 4)] as [(ZlibDecoder.Format, Coded.Container, Int)])
    func checksum(format: ZlibDecoder.Format, container: Coded.Container, fromEnd: Int) {
        var coded = Coded.deflated(Coded.text, container)
        coded[coded.count - fromEnd] ^= 1
        #expect(Decoded([coded], by: ZlibDecoder(format)).isBroken)
    }

    @Test("What isn't coded at all is a fault", arguments: [ZlibDecoder.Format.gzip, .deflate])
    func foreign(format: ZlibDecoder.Format) {
        for body in ["<html>not coded</html>", "{\"a\":1}", "\u{1F}", "\u{0}\u{0}\u{0}"] {
            #expect(Decoded([Data(body.utf8)], by: ZlibDecoder(format)).isBroken)
        }
    }

    @Test("Members of gzip one behind another are one body (RFC 1952 §2.2)")
    func members() {
        let coded = Coded.deflated(Coded.text, .gzip)
        let three = coded + Coded.deflated(Data(), .gzip) + coded
        #expect(Decoded([three], by: ZlibDecoder(.gzip)) == Decoded(Coded.text + Coded.text))
        #expect(Decoded(three.bytewise, by: ZlibDecoder(.gzip)) == Decoded(Coded.text + Coded.text))
        #expect(Decoded([coded, coded], by: ZlibDecoder(.gzip)) == Decoded(Coded.text + Coded.text))
        for count in 1..<coded.count { #expect(Decoded([coded + coded.prefix(count)], by: ZlibDecoder(.gzip)).isBroken) }
    }

    @Test("Zeros behind gzip are padding")
    func padding() {
        let padded = Coded.deflated(Coded.text, .gzip) + Data(count: 512)
        #expect(Decoded([padded], by: ZlibDecoder(.gzip)) == Decoded(Coded.text))
        #expect(Decoded(padded.bytewise, by: ZlibDecoder(.gzip)) == Decoded(Coded.text))
    }

    @Test("Something else behind the end is a fault", arguments: forms)
    func garbage(format: ZlibDecoder.Format, container: Coded.Container) {
        for original in [Coded.text, Data()] {
            let coded = Coded.deflated(original, container)
            #expect(Decoded([coded + Data("x".utf8)], by: ZlibDecoder(format)).isBroken)
            #expect(Decoded((coded + Data("xyz".utf8)).bytewise, by: ZlibDecoder(format)).isBroken)
        }
    }

    @Test("A bomb comes out piece by piece, each within its bound")
    func bomb() throws {
        let decoder = ZlibDecoder(.gzip)
        decoder.feed(Coded.gzipBomb(mebibytes: 32))
        var total = 0
        while true {
            let piece = try decoder.produce(upTo: 64 * 1024)
            #expect(piece.count <= 64 * 1024)
            if piece.isEmpty { break }
            total += piece.count
        }
        #expect(total == 32 << 20 && decoder.isComplete)
    }
}
#endif
