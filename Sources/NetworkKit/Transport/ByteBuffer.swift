#if canImport(CCurl)
internal import PlatformBase

/// Bytes as they come, in memory of our own, handed on as `Data` without being copied.
struct ByteBuffer: ~Copyable {
    private var base: UnsafeMutableRawPointer?
    private var capacity = 0
    private(set) var count = 0

    /// What is said to come. It is believed to a bound, and then to a multiple of what has really come.
    private var expected = 0
    private static let trusted = 8 << 20

    /// Makes room for what is said to come.
    mutating func reserve(_ expected: Int) {
        self.expected = expected
        let bounded = min(expected, Self.trusted)
        if bounded > capacity { grow(to: bounded) }
    }

    /// Room for what is there and so many more: as much as is said to come, where it is believed, else a little more than is needed.
    private func roomFor(_ more: Int) -> Int {
        let needed = count + more
        let isBelieved = expected >= needed && expected / 16 <= count
        return isBelieved ? expected : max(needed, min(capacity * 2, capacity + (8 << 20)))
    }

    /// Adds bytes; `false` when there is no memory for them.
    mutating func append(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let source = bytes.baseAddress, bytes.count > 0 else { return true }
        if count + bytes.count > capacity { grow(to: roomFor(bytes.count)) }
        guard let base, count + bytes.count <= capacity else { return false }
        base.advanced(by: count).copyMemory(from: source, byteCount: bytes.count)
        count += bytes.count
        return true
    }

    /// The bytes so far; the buffer is empty afterwards.
    mutating func take() -> Data {
        guard let base, count > 0 else { return Data() }
        if capacity > count + count / 2 { grow(to: count) }
        let data = Data(bytesNoCopy: self.base ?? base, count: count, deallocator: .free)
        self.base = nil
        capacity = 0
        count = 0
        return data
    }

    private mutating func grow(to newCapacity: Int) {
        guard let grown = realloc(base, newCapacity) else { return }
        base = grown
        capacity = newCapacity
    }

    deinit { free(base) }
}
#endif
