public import PlatformBase

/// The body of a request: what it is, how long it is when that is known, and whether it can be sent again.
///
/// ```swift
/// var body: RequestBody? { .json(order) }
/// var body: RequestBody? { .form(["name": name, "tags": tags]) }
/// var body: RequestBody? { .file(URL(filePath: "/data/report.pdf"), contentType: "application/pdf") }
/// ```
public struct RequestBody: Sendable {
    enum Content: Sendable {
        case data(Data)
        case value(any Encodable & Sendable, (any RequestEncoder)?)
        /// What is put together when it is known what encodes its values.
        case deferred(isReplayable: Bool, @Sendable (any RequestEncoder) throws(RequestError) -> RequestBody)
        case invalid(RequestError)
        case chunks(length: Int64?, isReplayable: Bool, open: @Sendable () async throws(RequestError) -> AsyncReader)
        case file(FileBody)

        /// What comes in chunks, as a file does too.
        var chunks: (length: Int64?, isReplayable: Bool, open: @Sendable () async throws(RequestError) -> AsyncReader)? {
            switch self {
            case .chunks(let length, let isReplayable, let open): (length, isReplayable, open)
            case .file(let file): (file.length, true, { AsyncReader(file) })
            case .data, .value, .deferred, .invalid: nil
            }
        }
    }

    var content: Content
    /// What the body is: the value of `Content-Type`, set unless the endpoint sets that field itself. `nil` sets none.
    public var contentType: String?
    /// Set when a body that can be read once has been.
    private var reading: OnceFlag?
    /// The values in the body that must not be seen, where it knows of them.
    var secrets = SecretValues()
    /// The path of the file that the body is read from, where it is one.
    private(set) var file: String?
    /// All files that it is read from.
    var files: [FileBody] = []

    /// - Parameter reading: for a body that can be read once, what is set by that.
    init(_ content: Content, contentType: String?, reading: OnceFlag? = nil) {
        self.content = content
        self.contentType = contentType
        self.reading = reading
    }

    /// How many bytes the body has; `nil` when that isn't known, and for a value that isn't encoded yet.
    public var length: Int64? {
        switch content {
        case .data(let data): Int64(data.count)
        case .chunks(let length, _, _): length
        case .file(let file): file.length
        case .value, .deferred, .invalid: nil
        }
    }

    /// Whether the body can be sent more than once.
    public var isReplayable: Bool {
        switch content {
        case .chunks(_, let isReplayable, _), .deferred(let isReplayable, _): isReplayable
        case .data, .value, .invalid, .file: true
        }
    }

    /// Bytes as they are.
    public static func data(_ data: Data, contentType: String? = "application/octet-stream") -> RequestBody {
        RequestBody(.data(data), contentType: contentType)
    }

    /// A value as JSON, encoded when the call begins: by this encoder, else by the session's.
    ///
    /// A value that doesn't encode ends the call with ``RequestError/encode(_:)``; nothing is sent.
    public static func json(_ value: some Encodable & Sendable, encoder: (any RequestEncoder)? = nil) -> RequestBody {
        RequestBody(.value(value, encoder), contentType: "application/json")
    }

    /// Bytes that are JSON already. As a value they would be encoded once more, as one string in Base64.
    @available(*, unavailable, message: "bytes that are JSON already are .data(bytes, contentType: \"application/json\")")
    public static func json(_ data: Data) -> RequestBody { .data(data, contentType: "application/json") }

    /// A file, read while it is sent and never held as a whole, and read anew each time that the request is sent.
    ///
    /// A file that is missing, can't be read, or is a folder ends the call with ``RequestError/file(_:)``; nothing is sent. So does one
    /// that isn't as long any more as it was when the body was made; when it changes while it is sent, the request breaks off, and the
    /// server never has a whole one.
    public static func file(_ url: URL, contentType: String? = "application/octet-stream") -> RequestBody {
        do {
            let file = try FileBody(url)
            var body = RequestBody(.file(file), contentType: contentType)
            body.file = file.path
            body.files = [file]
            return body
        } catch {
            return RequestBody(.invalid(error), contentType: contentType)
        }
    }

    /// Chunks that are sent as they are made. They can be read once, so the request can't be sent again by itself: a redirect or
    /// retry that needs the body ends with ``RequestError/notReplayable(_:)``.
    ///
    /// - Parameters:
    ///   - chunks: the bytes. An error that they throw ends the call.
    ///   - length: how many bytes there will be, when that is known: it is sent as `Content-Length`, and a stream with more or
    ///     fewer bytes ends the call with ``RequestError/encode(_:)``. Without it the body is sent chunked.
    public static func stream<Chunks: AsyncSequence & Sendable>(
        _ chunks: Chunks, length: Int64? = nil, contentType: String? = "application/octet-stream"
    ) -> RequestBody where Chunks.Element == Data {
        let reading = OnceFlag()
        return RequestBody(
            .chunks(
                length: length, isReplayable: false,
                open: { () throws(RequestError) in
                    guard reading.set() else { throw .spent }
                    return AsyncReader(chunks)
                }),
            contentType: contentType, reading: reading)
    }

    /// The same body read as a whole, for a transport that has to look at it before it sends it: bytes, which can be sent again.
    package func read(as data: Data) -> RequestBody {
        var body = RequestBody(.data(data), contentType: contentType)
        body.secrets = secrets
        return body
    }

    /// Whether the body could be read once and has been, so that nothing of a request with it should go out.
    var isSpent: Bool { reading?.isSet ?? false }

    /// Whether the request can be sent once more: its body can be made anew, or is a stream that nobody has begun to read.
    var isLeft: Bool { isReplayable || reading.map { !$0.isSet } ?? false }

    /// Sees that its files are still there, and as long as they were when the body was made, for a transport that is about to send it.
    func checkFiles() async throws(RequestError) {
        for file in files { try await file.check() }
    }

    /// The same body in another form, which isn't what is in a file any more, though it may be made of one.
    func replacing(_ content: Content) -> RequestBody {
        var body = self
        body.content = content
        body.file = nil
        return body
    }

    /// Chunks that can be made again each time the request is sent.
    ///
    /// - Parameters:
    ///   - length: how many bytes there will be each time, when that is known.
    ///   - open: makes the chunks from their beginning.
    public static func stream<Chunks: AsyncSequence & Sendable>(
        length: Int64? = nil, contentType: String? = "application/octet-stream", open: @escaping @Sendable () -> Chunks
    ) -> RequestBody where Chunks.Element == Data {
        RequestBody(.chunks(length: length, isReplayable: true, open: { AsyncReader(open()) }), contentType: contentType)
    }

    /// The same body with values in it that must not be seen: they are masked wherever the body, or an answer that quotes it, is shown,
    /// and the body isn't sent to another origin by a redirect or a link.
    ///
    /// ```swift
    /// var body: RequestBody? { .json(login).hiding(login.password) }
    /// ```
    ///
    /// In a ``form(_:)`` a value is marked by `.secret(_:)` instead.
    public func hiding(_ values: String...) -> RequestBody {
        var body = self
        for value in values { body.secrets.insert(value) }
        return body
    }

    /// Whether the body is still a value, or a fault that is to be told.
    var isUnfinished: Bool {
        switch content {
        case .value, .deferred, .invalid: true
        case .data, .chunks, .file: false
        }
    }

    /// The body ready to be sent: a value encoded, a fault thrown.
    func encoded(by encoder: any RequestEncoder) throws(RequestError) -> RequestBody {
        switch content {
        case .data, .chunks, .file: return self
        case .invalid(let error): throw error
        case .deferred(_, let make):
            var body = try make(encoder)
            body.contentType = contentType
            body.secrets = secrets
            return body
        case .value(let value, let own):
            do {
                var body = self
                body.content = .data(try (own ?? encoder).encode(value))
                return body
            } catch let error as EncodingError {
                throw RequestError(error)
            } catch {
                throw .encode(.init(reason: "the body doesn't encode: \(error)", underlying: error))
            }
        }
    }
}

extension RequestBody: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// What the body is and how long, and nothing of what it says: `application/json, 42 bytes`.
    public var description: String { "\(contentType ?? "untyped"), \(length.map { "\($0) bytes" } ?? "of unknown length")" }
    /// The same as `description`.
    public var debugDescription: String { description }
    /// What `dump` sees: the description.
    public var customMirror: Mirror { Mirror(self, children: ["body": description]) }
}

/// What makes bytes from a value: `JSONEncoder`, or an encoder of one's own.
public protocol RequestEncoder: Sendable {
    /// The value as bytes.
    func encode<Value: Encodable>(_ value: Value) throws -> Data
}

extension JSONEncoder: RequestEncoder {}

/// A flag that is set once.
final class OnceFlag: Sendable {
    private let flag = Atomic(false)
    /// Whether it is set.
    var isSet: Bool { flag.load(ordering: .acquiring) }
    /// Sets the flag; `false` when it was set already.
    func set() -> Bool { !flag.exchange(true, ordering: .acquiringAndReleasing) }
}

extension RequestError {
    static let spent = RequestError.notReplayable(.init(reason: "the body is a stream that was read already"))

    /// What an encoder says, with the place in the value.
    init(_ error: EncodingError) {
        guard case .invalidValue(let value, let context) = error else {
            self = .encode(.init(reason: "the body doesn't encode: \(error)", underlying: error))
            return
        }
        self = .encode(
            .init(
                .init(part: .body, codingPath: CodingPath.text(context.codingPath)),
                reason: "a value of type \(type(of: value)) doesn't encode: \(context.debugDescription)", underlying: error))
    }
}

/// Coding paths as a programmer writes them: `results[3].runtime`.
enum CodingPath {
    static func text(_ path: [any CodingKey]) -> String {
        path.reduce(into: "") { text, key in
            if let index = key.intValue { text += "[\(index)]" } else { text += text.isEmpty ? key.stringValue : ".\(key.stringValue)" }
        }
    }
}
