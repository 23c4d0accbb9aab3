internal import PlatformBase

/// An entry as its file has it.
struct ReadEntry: Sendable {
    let response: StoredResponse
    /// How long the body is.
    let length: Int64
    /// The body, of an entry that is no longer than a block.
    let body: Data?
    /// How long the file is.
    let size: Int64
    let nonce: UInt64
}

extension StoreFile {
    /// A file up to this length is read at once.
    private static let wholeLimit: Int64 = 80 * 1024
    /// How much of a longer one is read to find its head.
    private static let tailSize: Int64 = 8 * 1024

    /// Reads the entry, and sees that it is whole: the head, and the body where it is no longer than a block.
    ///
    /// - Parameter key: the URL that it is an answer of.
    func entry(of key: SipHash.Value) throws(DiskFault) -> ReadEntry {
        let size = Int64(try status().st_size)
        let start = try read(Int(size <= Self.wholeLimit ? size : Int64(EntryFormat.prologueSize)), at: 0)
        let nonce = try nonce(of: start)
        // The file's end, and where it begins.
        let tail = size <= Self.wholeLimit ? start : try read(Int(Self.tailSize), at: size - Self.tailSize)
        let tailOffset = size <= Self.wholeLimit ? 0 : size - Self.tailSize
        let footer = try footer(tail, nonce, size)
        let headPlace = footer.headOffset - tailOffset
        let head =
            headPlace >= 0
            ? Array(tail.dropFirst(Int(headPlace)).prefix(footer.headLength)) : try read(footer.headLength, at: footer.headOffset)
        guard Checksum.of(head, seed: nonce) == footer.headChecksum else { throw .damaged(path: path, .checksum) }
        guard let read = head.withUnsafeBytes({ EntryHead($0) }) else { throw .damaged(path: path, .head) }
        guard read.key == key else { throw .damaged(path: path, .otherKey) }
        var body: Data?
        if footer.bodyLength == 0 {
            body = Data()
        } else if tailOffset == 0, footer.bodyLength <= Int64(EntryFormat.blockSize) {
            body = start.withUnsafeBytes { bytes in
                let block = UnsafeRawBufferPointer(rebasing: bytes[EntryFormat.prologueSize..<Int(footer.headOffset)])
                guard EntryFormat.isWhole(block: block, number: 0, nonce: nonce) else { return nil }
                return Data(block.dropLast(EntryFormat.checksumSize))
            }
            guard body != nil else { throw .damaged(path: path, .checksum) }
        }
        return ReadEntry(response: read.response, length: footer.bodyLength, body: body, size: size, nonce: nonce)
    }

    /// Where the head of the entry is, and how long it may be without the file growing; `nil` for another writing than that one.
    func place(ofHeadOf nonce: UInt64) throws(DiskFault) -> EntryFormat.Footer? {
        let size = Int64(try status().st_size)
        guard try self.nonce() == nonce else { return nil }
        return try footer(try read(EntryFormat.footerSize, at: size - Int64(EntryFormat.footerSize)), nonce, size)
    }

    /// The number of the writing that the file is.
    func nonce() throws(DiskFault) -> UInt64 { try nonce(of: try read(EntryFormat.prologueSize, at: 0)) }

    private func nonce(of bytes: [UInt8]) throws(DiskFault) -> UInt64 {
        try undamaged(bytes) { bytes throws(EntryFormat.Damage) in
            try EntryFormat.nonce(of: UnsafeRawBufferPointer(rebasing: bytes.prefix(EntryFormat.prologueSize)))
        }
    }

    private func footer(_ bytes: [UInt8], _ nonce: UInt64, _ size: Int64) throws(DiskFault) -> EntryFormat.Footer {
        try undamaged(bytes) { bytes throws(EntryFormat.Damage) in try EntryFormat.Footer(bytes, nonce: nonce, fileSize: size) }
    }

    private func undamaged<Value>(
        _ bytes: [UInt8], _ read: (UnsafeRawBufferPointer) throws(EntryFormat.Damage) -> Value
    ) throws(DiskFault) -> Value {
        let result = bytes.withUnsafeBytes { bytes in Result { () throws(EntryFormat.Damage) in try read(bytes) } }
        switch result {
        case .success(let value): return value
        case .failure(let damage): throw .damaged(path: path, damage)
        }
    }
}

/// Bytes of a body longer than a block.
struct BodyBlocks: Sendable {
    let file: StoreFile
    let nonce: UInt64
    /// How long the body is.
    let length: Int64
    /// How many blocks are read at once.
    static let count: Int64 = 4

    /// The bytes from one place, up to another at most, each block checked.
    func read(from start: Int64, to end: Int64) throws(DiskFault) -> Data {
        let size = Int64(EntryFormat.blockSize)
        let first = start / size
        let last = min(first + Self.count - 1, (end - 1) / size)
        let bodyEnd = min(length, (last + 1) * size)
        let framed = Int(EntryFormat.blocksSize(bodyEnd - first * size))
        guard let memory = malloc(framed) else { throw .system("read", file.path) }
        let buffer = UnsafeMutableRawBufferPointer(start: memory, count: framed)
        do throws(DiskFault) {
            guard try file.read(into: buffer, at: EntryFormat.offset(ofBlock: first)) == framed else {
                throw DiskFault.damaged(path: file.path, .truncated)
            }
            try check(buffer, first)
        } catch {
            free(memory)
            throw error
        }
        // The blocks stand one behind the other now.
        let body = Data(bytesNoCopy: memory, count: Int(bodyEnd - first * size), deallocator: .free)
        return body[Int(start - first * size)..<Int(min(end, bodyEnd) - first * size)]
    }

    /// Checks the blocks in a buffer, and moves them together.
    private func check(_ buffer: UnsafeMutableRawBufferPointer, _ first: Int64) throws(DiskFault) {
        let framed = EntryFormat.blockSize + EntryFormat.checksumSize
        var number = first
        for at in stride(from: 0, to: buffer.count, by: framed) {
            let block = UnsafeMutableRawBufferPointer(rebasing: buffer[at..<min(at + framed, buffer.count)])
            guard EntryFormat.isWhole(block: UnsafeRawBufferPointer(block), number: number, nonce: nonce) else {
                throw .damaged(path: file.path, .checksum)
            }
            let target = Int(number - first) * EntryFormat.blockSize
            if target != at, let from = block.baseAddress, let base = buffer.baseAddress {
                memmove(base + target, from, block.count - EntryFormat.checksumSize)
            }
            number += 1
        }
    }
}
