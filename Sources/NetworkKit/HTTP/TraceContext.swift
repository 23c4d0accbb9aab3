internal import PlatformBase

/// Where in a trace a request stands, as W3C Trace Context (Level 1) hands it on: `traceparent` and `tracestate`.
public struct TraceContext: Sendable, Hashable {
    /// The number of the trace: 16 bytes as 32 digits of small hexadecimal.
    public var traceID: String { Self.text(32) { Self.write(trace, into: $0, at: 0) } }
    /// The number of the span: 8 bytes as 16 digits.
    public var spanID: String { Self.text(16) { Self.write(span, into: $0, at: 0) } }
    /// Whether the trace is recorded.
    public let isSampled: Bool
    /// What tracing systems along the way have to say: the value of `tracestate`, or `nil`.
    public let state: String?

    // Text is made of them once for each request, and more only if somebody asks.
    private let trace: UInt128
    private let span: UInt64

    /// The context that a task's requests belong to, where they bring none of their own.
    ///
    /// ```swift
    /// await TraceContext.$current.withValue(TraceContext(traceparent: incoming)) { await service.topRated(page: 1) }
    /// ```
    @TaskLocal public static var current: TraceContext?

    /// A context by its numbers; `nil` where one of them isn't what it must be, or is all zeros.
    public init?(traceID: String, spanID: String, isSampled: Bool = true, state: String? = nil) {
        guard let trace: UInt128 = Self.number(traceID, digits: 32), let span: UInt64 = Self.number(spanID, digits: 16), trace != 0,
            span != 0
        else { return nil }
        self.init(trace, span, isSampled, state.flatMap(Self.validState))
    }

    /// Reads the two fields. A `traceparent` that breaks a rule gives `nil`; a `tracestate` that does is left out (§3.2, §3.3).
    public init?(traceparent: String, tracestate: String? = nil) {
        let parts = traceparent.trimmingSpaces().split(separator: "-", omittingEmptySubsequences: false).map(String.init)
        guard parts.count >= 4, let version: UInt8 = Self.number(parts[0], digits: 2), version != 0xFF,
            let flags: UInt8 = Self.number(parts[3], digits: 2),
            // A later version may have more to say; the first has nothing more.
            parts.count == 4 || version != 0
        else { return nil }
        self.init(traceID: parts[1], spanID: parts[2], isSampled: flags & 1 == 1, state: tracestate)
    }

    /// The context that a request's own fields bring, if they are right.
    init?(_ fields: HTTPFields) {
        guard fields.contains(.traceparent) else { return nil }
        let parents = fields[values: .traceparent]
        guard parents.count == 1 else { return nil }
        self.init(traceparent: parents[0], tracestate: fields[.tracestate])
    }

    /// The value of `traceparent`, in version 00.
    public var traceparent: String {
        Self.text(55) { digits in
            for dash in [2, 35, 52] { digits[dash] = UInt8(ascii: "-") }
            Self.write(UInt8(0), into: digits, at: 0)
            Self.write(trace, into: digits, at: 3)
            Self.write(span, into: digits, at: 36)
            Self.write(UInt8(isSampled ? 1 : 0), into: digits, at: 53)
        }
    }

    /// A span below this one.
    func child(spanID: UInt64) -> TraceContext {
        // Zero is no number of a span.
        TraceContext(trace, max(spanID, 1), isSampled, state)
    }

    /// The root of a trace.
    static func root(traceID: (UInt64, UInt64), spanID: UInt64) -> TraceContext {
        TraceContext(UInt128(max(traceID.0, 1)) << 64 | UInt128(traceID.1), max(spanID, 1), true, nil)
    }

    private init(_ trace: UInt128, _ span: UInt64, _ isSampled: Bool, _ state: String?) {
        self.trace = trace
        self.span = span
        self.isSampled = isSampled
        self.state = state
    }

    private static func text(_ length: Int, _ write: (UnsafeMutableBufferPointer<UInt8>) -> Void) -> String {
        String(unsafeUninitializedCapacity: length) { buffer in
            // The room may be more than what was asked for.
            write(UnsafeMutableBufferPointer(rebasing: buffer[..<length]))
            return length
        }
    }

    private static func write<Number: FixedWidthInteger>(_ number: Number, into text: UnsafeMutableBufferPointer<UInt8>, at start: Int) {
        var rest = number
        for place in (start..<(start + Number.bitWidth / 4)).reversed() {
            let digit = UInt8(truncatingIfNeeded: rest & 15)
            text[place] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") - 10 + digit
            rest >>= 4
        }
    }

    /// Capital letters are none of the format.
    private static func number<Number: FixedWidthInteger>(_ text: String, digits: Int) -> Number? {
        guard text.utf8.count == digits else { return nil }
        var number: Number = 0
        for byte in text.utf8 {
            guard let digit = PercentEncoding.hexValue(byte), !(byte >= 0x41 && byte <= 0x46) else { return nil }
            number = number << 4 | Number(digit)
        }
        return number
    }
}

extension TraceContext {
    /// The list as it is handed on, or `nil` for one that is empty or breaks a rule (§3.3.1).
    private static func validState(_ text: String) -> String? {
        let members = text.split(separator: ",").map { $0.trimmingSpaces() }.filter { !$0.isEmpty }
        guard !members.isEmpty, members.count <= 32, members.allSatisfy(isMember) else { return nil }
        let keys = members.compactMap { $0.split(separator: "=", maxSplits: 1).first }
        return Set(keys).count == members.count ? members.joined(separator: ",") : nil
    }

    private static func isMember(_ text: String) -> Bool {
        guard let equals = text.utf8.firstIndex(of: UInt8(ascii: "=")) else { return false }
        let value = text.utf8[equals...].dropFirst()
        guard (1...256).contains(value.count), value.last != 0x20 else { return false }
        return isKey(text[..<equals])
            && value.allSatisfy { $0 >= 0x20 && $0 <= 0x7E && $0 != UInt8(ascii: ",") && $0 != UInt8(ascii: "=") }
    }

    private static func isKey(_ key: Substring) -> Bool {
        let parts = key.split(separator: "@", omittingEmptySubsequences: false)
        let limits = parts.count == 1 ? [256] : [241, 14]
        guard parts.count == limits.count else { return false }
        return zip(parts, limits).enumerated().allSatisfy { index, pair in
            let bytes = pair.0.utf8
            guard let first = bytes.first, bytes.count <= pair.1 else { return false }
            let mayBeginWithDigit = parts.count == 2 && index == 0
            return (isSmall(first) || (mayBeginWithDigit && isDigit(first)))
                && bytes.allSatisfy { isSmall($0) || isDigit($0) || [0x5F, 0x2D, 0x2A, 0x2F].contains($0) }
        }
    }

    private static func isSmall(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "a") && byte <= UInt8(ascii: "z") }
    private static func isDigit(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }
}

extension HTTPField.Name {
    /// `traceparent` (W3C Trace Context §3.2).
    public static var traceparent: Self { "traceparent" }
    /// `tracestate` (W3C Trace Context §3.3).
    public static var tracestate: Self { "tracestate" }
}
