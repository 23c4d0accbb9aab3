#if canImport(CCurl)
import Foundation
import Testing

@testable import NetworkKit

@Suite("Bodies before they were coded")
struct PlainContentTests {
    @Test(
        "What gzip and deflate have made is undone, in the order of the codings",
        arguments: [
            ("gzip", [Coded.Container.gzip]), ("X-GZip", [.gzip]), ("deflate", [.zlib]), ("deflate", [.raw]),
            ("deflate, gzip", [.zlib, .gzip]), ("identity", []),
        ])
    func decoded(field: String, containers: [Coded.Container]) {
        let coded = containers.reduce(Coded.text) { Coded.deflated($0, $1) }
        #expect(PlainContent.of(coded, fields: ["Content-Encoding": "\(field)"]) == Coded.text)
        #expect(PlainContent.of(coded, fields: [:]) == coded)
    }

    @Test("What can't be decoded is nothing: of another coding, damaged, cut short, endless")
    func refused() {
        let coded = Coded.deflated(Coded.text, .gzip)
        #expect(PlainContent.of(coded, fields: ["Content-Encoding": "br"]) == nil)
        #expect(PlainContent.of(Coded.text, fields: ["Content-Encoding": "gzip"]) == nil)
        #expect(PlainContent.of(coded.dropLast(9), fields: ["Content-Encoding": "gzip"]) == nil)
        #expect(PlainContent.of(Coded.gzipBomb(mebibytes: 65), fields: ["Content-Encoding": "gzip"]) == nil)
        #expect(PlainContent.of(Data(), fields: ["Content-Encoding": "br"]) == Data())
    }

    @Test("Of the first bytes is had what they give")
    func cut() throws {
        let coded = Coded.deflated(Coded.text, .gzip)
        let first = try #require(PlainContent.of(coded.prefix(coded.count / 2), fields: ["Content-Encoding": "gzip"], isCut: true))
        #expect(Coded.text.starts(with: first))
    }
}
#endif
