internal import PlatformBase

/// Numbers and texts as bytes: numbers little-endian, a text with its length in front.
struct ByteWriter {
    var bytes: [UInt8] = []

    mutating func add(_ number: some FixedWidthInteger) { Self.add(number, to: &bytes) }

    mutating func add(_ text: String) {
        add(UInt32(text.utf8.count))
        bytes += text.utf8
    }

    /// A text that may be missing.
    mutating func add(optional text: String?) {
        guard let text else { return add(UInt32.max) }
        add(text)
    }

    static func add(_ number: some FixedWidthInteger, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: number.littleEndian) { bytes += $0 }
    }
}

/// Reads what a ``ByteWriter`` wrote, or anything: each reading gives `nil` where the bytes don't hold what is asked for.
struct ByteReader {
    private(set) var rest: Slice<UnsafeRawBufferPointer>

    init(_ bytes: UnsafeRawBufferPointer) { rest = bytes[...] }

    mutating func bytes(_ count: Int) -> Slice<UnsafeRawBufferPointer>? {
        guard count <= rest.count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    mutating func number<Number: FixedWidthInteger & BitwiseCopyable>(_: Number.Type) -> Number? {
        guard let bytes = bytes(MemoryLayout<Number>.size) else { return nil }
        return Number(littleEndian: UnsafeRawBufferPointer(rebasing: bytes).loadUnaligned(as: Number.self))
    }

    mutating func text() -> String? {
        guard let count = number(UInt32.self), let bytes = bytes(Int(clamping: count)) else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }

    /// A text that may be missing: `.some(nil)` where it is.
    mutating func optionalText() -> String?? {
        var ahead = self
        guard let count = ahead.number(UInt32.self) else { return nil }
        guard count == .max else { return text().map { .some($0) } }
        self = ahead
        return .some(nil)
    }
}
