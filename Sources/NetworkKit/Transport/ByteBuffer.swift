#if canImport(CCurl)
internal import PlatformBase

/// Bytes as they come, in memory of our own, handed on as `Data` without being copied.
struct ByteBuffer: ~Copyable {
    private var base: UnsafeMutableRawPointer?
    private var capacity = 0
    private(set) var count = 0

    /// Makes room for what is said to come. The saying isn't trusted beyond a bound: memory is taken as bytes really come.
    mutating func reserve(_ expected: Int) {
        let bounded = min(expected, 8 << 20)
        if bounded > capacity { grow(to: bounded) }
    }

    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        guard let source = bytes.baseAddress, bytes.count > 0 else { return }
        if count + bytes.count > capacity { grow(to: max(count + bytes.count, min(capacity * 2, capacity + (32 << 20)))) }
        guard let base else { return }
        base.advanced(by: count).copyMemory(from: source, byteCount: bytes.count)
        count += bytes.count
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
