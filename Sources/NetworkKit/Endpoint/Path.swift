public import PlatformBase

/// The path of an endpoint: what stands literally goes out as it is written, and what is interpolated is one segment, encoded.
///
/// ```swift
/// var path: Path { "movie/\(id)/credits" }                       // id = "a/b" gives movie/a%2Fb/credits
/// var path: Path { "forecast/\(secret: key)/\(latitude),\(longitude)" }
/// ```
///
/// An interpolated value that is empty, `.` or `..` would change which resource is meant, and no encoding could prevent that: it
/// ends the call with ``RequestError/invalidURL(_:)``. Slashes at the start don't matter: a path is joined to its base URL with
/// exactly one. A query in a literal is merged with the endpoint's; values interpolated there are query values.
public struct Path: Sendable, Hashable {
    enum Piece: Sendable, Hashable {
        /// Goes out as written, but for characters that can't stand in a URL.
        case literal(String)
        /// One value, all of it encoded.
        case value(QueryPart)
    }

    var pieces: [Piece]

    /// A path from text made elsewhere, treated as a literal: parts that are percent-encoded already stay so, slashes divide.
    public init(_ text: String) { pieces = [.literal(text)] }

    /// A path of these segments, each encoded as a whole.
    public init(segments: [String]) {
        pieces = segments.enumerated().flatMap { index, segment -> [Piece] in
            (index == 0 ? [] : [.literal("/")]) + [.value(QueryPart(segment))]
        }
    }

    /// One path behind another, as they are written.
    public static func + (left: Path, right: Path) -> Path {
        var path = left
        path.pieces += right.pieces
        return path
    }
}

extension Path: ExpressibleByStringInterpolation {
    /// A literal path.
    public init(stringLiteral value: String) { self.init(value) }

    /// A path with interpolated values.
    public init(stringInterpolation: StringInterpolation) { pieces = stringInterpolation.pieces }

    /// Collects the pieces of an interpolated path.
    public struct StringInterpolation: StringInterpolationProtocol {
        var pieces: [Piece] = []

        /// Makes room for the pieces.
        public init(literalCapacity: Int, interpolationCount: Int) { pieces.reserveCapacity(2 * interpolationCount + 1) }

        /// Adds text that goes out as written.
        public mutating func appendLiteral(_ literal: String) {
            if !literal.isEmpty { pieces.append(.literal(literal)) }
        }

        /// Adds a value as one encoded segment. Numbers have no exponent; an optional doesn't compile.
        public mutating func appendInterpolation(_ value: some PathValue) {
            pieces.append(.value(value.pathPart))
        }

        /// Adds a value that is masked wherever the URL would be shown.
        public mutating func appendInterpolation(secret value: some PathValue) {
            var part = value.pathPart
            part.isSecret = true
            pieces.append(.value(part))
        }

        /// Adds text that is percent-encoded already and may hold slashes: it goes out as written.
        public mutating func appendInterpolation(encoded text: String) { appendLiteral(text) }
    }
}

/// What can be interpolated into a ``Path``: a value that is one text, so neither an optional nor an array.
public protocol PathValue: Sendable {
    /// The text, not encoded.
    var pathPart: QueryPart { get }
}

extension PathValue where Self: QueryValue {
    /// The text that the value stands for in a query as well.
    public var pathPart: QueryPart { queryParts.first ?? QueryPart("") }
}

extension String: PathValue {}
extension Substring: PathValue {}
extension Bool: PathValue {}
extension Int: PathValue {}
extension Int8: PathValue {}
extension Int16: PathValue {}
extension Int32: PathValue {}
extension Int64: PathValue {}
extension UInt: PathValue {}
extension UInt8: PathValue {}
extension UInt16: PathValue {}
extension UInt32: PathValue {}
extension UInt64: PathValue {}
extension Double: PathValue {}
extension Float: PathValue {}
extension UUID: PathValue {}

extension PathValue where Self: RawRepresentable, RawValue: PathValue {
    /// The text of the raw value.
    public var pathPart: QueryPart { rawValue.pathPart }
}

extension Path: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The path as it is written, secret values masked.
    public var description: String {
        pieces.map { piece in
            switch piece {
            case .literal(let text): text
            case .value(let part): part.isSecret ? SecretValues.mask : PercentEncoding.encodeValue(part.text)
            }
        }.joined()
    }
    /// The same as `description`.
    public var debugDescription: String { description }
    /// What `dump` sees: the description.
    public var customMirror: Mirror { Mirror(self, children: ["path": description]) }
}
