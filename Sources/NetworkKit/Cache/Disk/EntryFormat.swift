internal import PlatformBase

/// How an entry lies in its file, version 1; all numbers little-endian.
///
/// ```
/// prologue   16 bytes   "NKHC", version (4), a number of this writing's own (8)
/// blocks                64 KiB of the body each, the last one shorter, each with its checksum (8) behind it
/// head                  see `EntryHead`
/// footer     32 bytes   length of the body (8), length of the head (4), zero (4), checksum of the head (8),
///                       checksum of the prologue and of the footer so far (8)
/// ```
///
/// The body comes first, so that it is written while it comes, and so that another head can take the place of the old one when the
/// server says that the body still holds. Each block is checked before it is handed on. Checksums start from the writing's number, and
/// those of blocks from their place too: a block of another file, or at another place, isn't taken for the right one.
enum EntryFormat {
    static let magic: [UInt8] = Array("NKHC".utf8)
    static let version: UInt32 = 1
    static let prologueSize = 16
    static let footerSize = 32
    /// How much of a body one checksum is for.
    static let blockSize = 64 * 1024
    static let checksumSize = 8
    /// A head is at most this long; a longer one isn't stored, and what claims to be one is damaged.
    static let headLimit = 1 << 20

    /// Why bytes aren't an entry.
    enum Damage: Error, Hashable {
        case empty, truncated, notAnEntry, checksum, head, otherKey
        case version(UInt32)
    }

    /// How many bytes the blocks of a body take.
    static func blocksSize(_ length: Int64) -> Int64 {
        let blocks = length / Int64(blockSize) + (length % Int64(blockSize) == 0 ? 0 : 1)
        return length + blocks * Int64(checksumSize)
    }

    /// Where a block begins in the file.
    static func offset(ofBlock block: Int64) -> Int64 { Int64(prologueSize) + block * Int64(blockSize + checksumSize) }

    static func prologue(_ nonce: UInt64) -> [UInt8] {
        var writer = ByteWriter()
        writer.bytes += magic
        writer.add(version)
        writer.add(nonce)
        return writer.bytes
    }

    /// The number of the writing that a file begins with.
    static func nonce(of prologue: UnsafeRawBufferPointer) throws(Damage) -> UInt64 {
        guard !prologue.isEmpty else { throw .empty }
        var reader = ByteReader(prologue)
        guard let found = reader.bytes(4), found.elementsEqual(magic) else { throw prologue.count < 4 ? .truncated : .notAnEntry }
        guard let version = reader.number(UInt32.self) else { throw .truncated }
        guard version == Self.version else { throw .version(version) }
        guard let nonce = reader.number(UInt64.self) else { throw .truncated }
        return nonce
    }

    /// Adds a block of a body with its checksum. All but the last of a body are ``blockSize`` long.
    static func add(block bytes: UnsafeRawBufferPointer, number: Int64, nonce: UInt64, to output: inout [UInt8]) {
        output += bytes
        ByteWriter.add(checksum(ofBlock: bytes, number: number, nonce: nonce), to: &output)
    }

    /// Whether a block, its checksum behind it, is whole.
    static func isWhole(block bytes: UnsafeRawBufferPointer, number: Int64, nonce: UInt64) -> Bool {
        let length = bytes.count - checksumSize
        guard length > 0 else { return false }
        let written = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: length, as: UInt64.self))
        return checksum(ofBlock: UnsafeRawBufferPointer(rebasing: bytes[..<length]), number: number, nonce: nonce) == written
    }

    private static func checksum(ofBlock bytes: UnsafeRawBufferPointer, number: Int64, nonce: UInt64) -> UInt64 {
        Checksum.of(bytes, seed: nonce &+ UInt64(truncatingIfNeeded: number) &* 0x9E37_79B9_7F4A_7C15)
    }

    /// A head and the footer behind it.
    static func tail(head: [UInt8], bodyLength: Int64, nonce: UInt64) -> [UInt8] {
        var writer = ByteWriter()
        writer.bytes = head
        writer.add(UInt64(bodyLength))
        writer.add(UInt32(head.count))
        writer.add(UInt32(0))
        writer.add(Checksum.of(head, seed: nonce))
        writer.add(footerChecksum(writer.bytes.suffix(footerSize - checksumSize), nonce))
        return writer.bytes
    }

    private static func footerChecksum(_ bytes: some Sequence<UInt8>, _ nonce: UInt64) -> UInt64 {
        Checksum.of(prologue(nonce) + bytes, seed: 0)
    }

    /// What the last bytes of a file say of it.
    struct Footer: Equatable {
        let bodyLength: Int64
        let headLength: Int
        let headChecksum: UInt64

        /// Where the head begins.
        var headOffset: Int64 { Int64(prologueSize) + blocksSize(bodyLength) }

        /// Reads the footer that a file of so many bytes ends with.
        init(_ bytes: UnsafeRawBufferPointer, nonce: UInt64, fileSize: Int64) throws(Damage) {
            guard bytes.count >= footerSize else { throw .truncated }
            let footer = UnsafeRawBufferPointer(rebasing: bytes.suffix(footerSize))
            var reader = ByteReader(footer)
            guard let bodyLength = reader.number(UInt64.self), let headLength = reader.number(UInt32.self),
                let zero = reader.number(UInt32.self),
                let headChecksum = reader.number(UInt64.self), let written = reader.number(UInt64.self)
            else { throw .truncated }
            // A file that was cut ends with anything.
            guard zero == 0, footerChecksum(footer.dropLast(checksumSize), nonce) == written else { throw .truncated }
            guard bodyLength <= UInt64(fileSize), headLength <= headLimit else { throw .truncated }
            self.bodyLength = Int64(bodyLength)
            self.headLength = Int(headLength)
            self.headChecksum = headChecksum
            guard headOffset + Int64(self.headLength) + Int64(footerSize) == fileSize else { throw .truncated }
        }
    }
}
