import PlatformBase
import Testing

@testable import NetworkKit

@Suite("The file of a cache entry")
struct EntryFormatTests {
    static let key = SipHash.Value(low: 5, high: 6)

    static let response = StoredResponse(
        variant: CacheVariant(identity: "anna", selectors: [.init(name: "accept", value: "a,b"), .init(name: "x", value: nil)]),
        status: 404, headers: HTTPFields([HTTPField(name: "ETag", value: "\"ü\""), HTTPField(name: "X-Key", value: "k", isSecret: true)]),
        requestTime: Date(timeIntervalSince1970: -0.5), responseTime: Date(timeIntervalSince1970: 4_102_444_800.125))

    /// A file as it is written.
    static func file(_ body: Data, nonce: UInt64 = 99, headLength: Int = 0) throws -> [UInt8] {
        let directory = TemporaryDirectory()
        let partial = PartialEntry(nonce: nonce, file: StoreFile(open("/dev/null", O_RDWR), path: directory.url.path))
        let head = EntryHead(key: key, response: response).encoded(atLeast: headLength)
        return partial.framed(body) + EntryFormat.tail(head: head, bodyLength: Int64(body.count), nonce: nonce)
    }

    /// What a file of these bytes reads as.
    static func read(_ bytes: [UInt8]) throws -> ReadEntry {
        let directory = TemporaryDirectory()
        try FileManager.default.createDirectory(at: directory.url, withIntermediateDirectories: true)
        try directory.write(bytes, "file")
        return try StoreFile(open(directory.file("file").path, O_RDONLY), path: "file").entry(of: key)
    }

    static func damage(_ bytes: [UInt8]) -> EntryFormat.Damage? {
        do {
            _ = try read(bytes)
            return nil
        } catch DiskFault.damaged(_, let damage) {
            return damage
        } catch {
            Issue.record(error)
            return nil
        }
    }

    @Test("An entry reads as it was written", arguments: [0, 1, 1000, 65535, 65536, 65537, 200_000])
    func roundTrip(count: Int) throws {
        let body = sampleBytes(count)
        let read = try Self.read(try Self.file(body))
        #expect(read.length == Int64(count))
        #expect(read.body == (count <= 65536 ? body : nil))
        #expect(read.response.variant == Self.response.variant)
        #expect(read.response.status == 404)
        #expect(read.response.headers == Self.response.headers)
        #expect(read.response.headers[1].isSecret)
        #expect(read.response.requestTime == Self.response.requestTime)
        #expect(read.response.responseTime == Self.response.responseTime)
    }

    @Test("A head may be longer than it need be, and longer than what is read at once")
    func longHeads() throws {
        #expect(try Self.read(try Self.file(sampleBytes(10), headLength: 5000)).response.headers == Self.response.headers)
        #expect(try Self.read(try Self.file(sampleBytes(200_000), headLength: 50_000)).response.headers == Self.response.headers)
    }

    @Test("A changed bit is found wherever it is")
    func flips() throws {
        let file = try Self.file(sampleBytes(40))
        for place in file.indices {
            var changed = file
            changed[place] ^= 0x10
            #expect(Self.damage(changed) != nil, "byte \(place)")
        }
    }

    @Test("A file that is cut off, or has more behind it, is found at every length")
    func cuts() throws {
        let file = try Self.file(sampleBytes(40))
        for count in 0..<file.count { #expect(Self.damage(Array(file.prefix(count))) != nil, "\(count) bytes") }
        #expect(Self.damage(file + [0]) == .truncated)
        #expect(Self.damage(file + file) == .truncated)
    }

    @Test("What is wrong is told apart")
    func damages() throws {
        let file = try Self.file(sampleBytes(40))
        #expect(Self.damage([]) == .empty)
        #expect(Self.damage(Array("<html>no entry at all".utf8)) == .notAnEntry)
        #expect(Self.damage(Array("NK".utf8)) == .truncated)
        #expect(Self.damage(Array(file.dropLast())) == .truncated)
        var other = file
        other[4] = 2
        #expect(Self.damage(other) == .version(2))
        var flipped = file
        flipped[20] ^= 1
        #expect(Self.damage(flipped) == .checksum)
        let directory = TemporaryDirectory()
        try FileManager.default.createDirectory(at: directory.url, withIntermediateDirectories: true)
        try directory.write(file, "file")
        #expect(throws: DiskFault.damaged(path: "f", .otherKey)) {
            try StoreFile(open(directory.file("file").path, O_RDONLY), path: "f").entry(of: .init(low: 0, high: 0))
        }
    }

    @Test("A block of another file, or from another place, isn't taken for the right one")
    func movedBlocks() {
        let bytes = Array(sampleBytes(100))
        var framed: [UInt8] = []
        bytes.withUnsafeBytes { EntryFormat.add(block: $0, number: 3, nonce: 8, to: &framed) }
        framed.withUnsafeBytes { framed in
            #expect(EntryFormat.isWhole(block: framed, number: 3, nonce: 8))
            #expect(!EntryFormat.isWhole(block: framed, number: 4, nonce: 8))
            #expect(!EntryFormat.isWhole(block: framed, number: 3, nonce: 9))
        }
    }

    @Test(
        "A count or length that no entry has is refused, also where an Int has 32 bits",
        arguments: [0x8000_0000, 0xFFFF_FFFE, .max] as [UInt32])
    func absurdCounts(count: UInt32) {
        var writer = ByteWriter()
        writer.add(count)
        writer.add(UInt64(0))
        writer.bytes.withUnsafeBytes { bytes in
            var reader = ByteReader(bytes)
            #expect(reader.text() == nil)
        }
        // The same number anywhere in a head: where a count stands it is one too many, elsewhere another value.
        let head = EntryHead(key: Self.key, response: Self.response).encoded()
        for place in 0..<(head.count - 4) {
            var bytes = head
            withUnsafeBytes(of: count.littleEndian) { bytes.replaceSubrange(place..<(place + 4), with: $0) }
            _ = bytes.withUnsafeBytes { EntryHead($0) }
        }
    }

    @Test("Heads that hold anything are refused, and never more than that")
    func anyHead() {
        var generator = SeededGenerator(seed: 3)
        let head = EntryHead(key: Self.key, response: Self.response).encoded()
        #expect(head.withUnsafeBytes { EntryHead($0) } != nil)
        for _ in 0..<5000 {
            var bytes = head
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                bytes[Int.random(in: bytes.indices, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            }
            bytes.removeLast(Int.random(in: 0...8, using: &generator))
            _ = bytes.withUnsafeBytes { EntryHead($0) }
        }
        for count in head.indices { #expect(Array(head.prefix(count)).withUnsafeBytes { EntryHead($0) } == nil) }
        #expect((head + [1]).withUnsafeBytes { EntryHead($0) } == nil)
    }

    @Test("A name reads as it was written, and has one spelling")
    func names() {
        func name(_ text: String) -> EntryName? { Array(text.utf8).withUnsafeBytes { EntryName($0) } }
        let sample = EntryName(key: .init(low: 0x0123, high: .max), variant: 7)
        #expect(sample.text == "ffffffffffffffff0000000000000123" + "0000000000000007.entry")
        #expect(name(sample.text) == sample)
        for text in ["", "lock", "key", ".entry", sample.text.uppercased(), sample.text + "x", "g" + sample.text.dropFirst()] {
            #expect(name(text) == nil, "\(text)")
        }
    }
}
