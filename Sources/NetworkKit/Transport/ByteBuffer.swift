#if canImport(CCurl)
internal import PlatformBase

/// Bytes as they come, in memory of our own, handed on as `Data` without being copied.
///
/// For a reader who wants all at once it grows to what is said to come; a stream is read into blocks that are used again.
struct ByteBuffer: ~Copyable {
    /// Where the memory is from, and so how it grows and how it is given back.
    private enum Kind {
        case heap
        case block
        case mapping
    }

    private let blocks: BlockPool
    private var base: UnsafeMutableRawPointer?
    private var capacity = 0
    private var kind = Kind.heap
    private(set) var count = 0

    /// What is said to come. It is believed to a bound, and then to a multiple of what has really come. The bound may be high, since
    /// the system provides the pages of such memory when they are written to.
    private var expected = 0
    private static let trusted = 64 << 20

    init(blocks: BlockPool) { self.blocks = blocks }

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

    /// Whether a block that is being filled has no room for so many more.
    func isFull(with more: Int) -> Bool { kind == .block && count + more > capacity }

    /// Adds bytes; `false` when there is no memory for them.
    ///
    /// - Parameter gathers: whether the reader wants all bytes at once.
    mutating func append(_ bytes: UnsafeRawBufferPointer, gathers: Bool) -> Bool {
        guard let source = bytes.baseAddress, bytes.count > 0 else { return true }
        if base == nil, !gathers, bytes.count <= BlockPool.blockSize { useBlock() }
        if count + bytes.count > capacity { grow(to: roomFor(bytes.count)) }
        guard let base, count + bytes.count <= capacity else { return false }
        base.advanced(by: count).copyMemory(from: source, byteCount: bytes.count)
        count += bytes.count
        return true
    }

    /// The bytes so far; the buffer is empty afterwards.
    mutating func take() -> Data {
        guard var base, count > 0 else { return Data() }
        defer { count = 0 }
        let deallocator: Data.Deallocator
        switch kind {
        case .block:
            // A few bytes must not hold a block for as long as their reader keeps them.
            if count < capacity / 4 { return Data(bytes: base, count: count) }
            deallocator = blocks.deallocator
        case .heap:
            if capacity > count + count / 2, let fitted = realloc(base, count) { base = fitted }
            deallocator = .free
        case .mapping:
            deallocator = Mapping.deallocator(capacity: Mapping.trim(base, from: capacity, to: count))
        }
        self.base = nil
        capacity = 0
        kind = .heap
        return Data(bytesNoCopy: base, count: count, deallocator: deallocator)
    }

    private mutating func useBlock() {
        guard let block = blocks.take() else { return }
        (base, capacity, kind) = (block, BlockPool.blockSize, .block)
    }

    private mutating func grow(to newCapacity: Int) {
        if newCapacity >= Mapping.threshold {
            guard let (new, size) = Mapping.make(newCapacity) else { return }
            if let base { new.copyMemory(from: base, byteCount: count) }
            release()
            (base, capacity, kind) = (new, size, .mapping)
        } else {
            // A block that has to grow, because its reader wants all at once now, is memory like any other.
            guard let grown = realloc(base, newCapacity) else { return }
            (base, capacity, kind) = (grown, newCapacity, .heap)
        }
    }

    private func release() {
        guard let base else { return }
        switch kind {
        case .heap: free(base)
        case .block: blocks.giveBack(base)
        case .mapping: Mapping.free(base, capacity)
        }
    }

    deinit { release() }
}

/// Memory for large bodies, straight from the system and in large pages where it has them: a large body spends more time on getting
/// its pages one by one than on anything else.
private enum Mapping {
    /// From how many bytes on. Two large pages, so that little of what is rounded up is lost.
    static let threshold = 4 << 20
    private static let largePage = 2 << 20

    static func make(_ needed: Int) -> (base: UnsafeMutableRawPointer, size: Int)? {
        let (raised, isOverflow) = needed.addingReportingOverflow(largePage - 1)
        guard !isOverflow else { return nil }
        let size = raised / largePage * largePage
        guard let base = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), base != MAP_FAILED else { return nil }
        madvise(base, size, MADV_HUGEPAGE)
        return (base, size)
    }

    /// Gives back the pages past `count`; gives the size that is left.
    static func trim(_ base: UnsafeMutableRawPointer, from size: Int, to count: Int) -> Int {
        let page = Int(getpagesize())
        let used = (count + page - 1) / page * page
        guard used < size, munmap(base + used, size - used) == 0 else { return size }
        return used
    }

    static func free(_ base: UnsafeMutableRawPointer, _ size: Int) { munmap(base, size) }

    static func deallocator(capacity: Int) -> Data.Deallocator { .custom { base, _ in free(base, capacity) } }
}

/// Memory that streams are read into, used again when its reader has let go of it: new memory costs a large body more than copying
/// it does, since the system fills each page with zeros first.
final class BlockPool: Sendable {
    static let blockSize = 256 * 1024
    private static let limit = 8

    /// Memory that nobody uses: whoever takes it from the list, under its lock, has it alone.
    private struct Block: @unchecked Sendable { let base: UnsafeMutableRawPointer }

    private let idle = Lock<[Block]>([])

    /// A block, or `nil` when there is no memory. It may be freed instead of being given back.
    func take() -> UnsafeMutableRawPointer? {
        idle.withLock { $0.popLast() }?.base ?? malloc(Self.blockSize)
    }

    func giveBack(_ base: UnsafeMutableRawPointer) {
        let block = Block(base: base)
        let isKept = idle.withLock { idle in
            guard idle.count < Self.limit else { return false }
            idle.append(block)
            return true
        }
        if !isKept { free(base) }
    }

    /// Takes a block back from the `Data` that it became.
    var deallocator: Data.Deallocator { .custom { [self] base, _ in giveBack(base) } }

    deinit {
        for block in idle.withLock({ $0 }) { free(block.base) }
    }
}
#endif
