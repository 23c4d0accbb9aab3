internal import PlatformBase

/// An answer without a model: what a call expects that only matters for having succeeded. Any 2xx answer is one, whatever its body.
public struct EmptyResponse: Decodable, Sendable, Hashable {
    /// An answer without a model.
    public init() {}
    /// Reads nothing.
    public init(from decoder: any Decoder) {}
}

/// Models that aren't made by a decoder, and so don't ask for JSON.
protocol NotJSON {}
extension Data: NotJSON {}
extension String: NotJSON {}
extension EmptyResponse: NotJSON {}
extension Optional: NotJSON where Wrapped: NotJSON {}

/// Models that stand for an empty body.
private protocol EmptyRepresentable {
    static var empty: Self { get }
}
extension Optional: EmptyRepresentable {
    fileprivate static var empty: Self { nil }
}

/// From a body to a model.
enum ModelDecoding {
    /// The same as ``model(_:from:head:decoder:)``, and never on a transport's loop: where the task prefers an executor of its own, a
    /// decoder's work is done on Swift's.
    nonisolated(nonsending) static func offLoop<Model: Decodable & Sendable>(
        _ type: Model.Type, from data: Data, head: ResponseHead, decoder: any ResponseDecoder
    ) async throws(RequestError) -> Model {
        let prefersExecutor = withUnsafeCurrentTask { $0?.unownedTaskExecutor != nil }
        guard prefersExecutor, !(type is any NotJSON.Type) else { return try model(type, from: data, head: head, decoder: decoder) }
        let result = await withTaskExecutorPreference(globalConcurrentExecutor) {
            Result { () throws(RequestError) in try model(type, from: data, head: head, decoder: decoder) }
        }
        return try result.get()
    }

    /// The model that the body describes.
    ///
    /// - Throws: ``RequestError/decode(_:)`` with the place, the type expected there and the piece of the body around it.
    static func model<Model: Decodable>(
        _ type: Model.Type, from data: Data, head: ResponseHead, decoder: any ResponseDecoder
    ) throws(RequestError) -> Model {
        // Read only where it is needed, which for most answers is nowhere.
        var mediaType: MediaType? { head.headers[.contentType].flatMap { MediaType($0) } }
        if data.isEmpty, let empty = (type as? any EmptyRepresentable.Type)?.empty as? Model { return empty }
        if type is any NotJSON.Type {
            if let raw = data as? Model ?? EmptyResponse() as? Model { return raw }
            if let text = text(data, charset: mediaType?.charset) as? Model { return text }
        }
        guard !data.isEmpty else {
            throw failure("the answer has an empty body; expect an optional or EmptyResponse where that is right", type, data, head)
        }
        do {
            return try decoder.decode(type, from: withoutByteOrderMark(data))
        } catch let error as DecodingError {
            throw RequestError(error, type: type, data: data, head: head, mediaType: mediaType)
        } catch {
            throw failure("\(error)", type, data, head, underlying: error)
        }
    }

    /// The body as text: in the charset that the server names, if it is one of those every client reads, else UTF-8 where the bytes
    /// are that, else Latin-1.
    private static func text(_ data: Data, charset: String?) -> String {
        data.withUnsafeBytes { bytes in
            if charset == "iso-8859-1" || charset == "latin1" {
                return String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
            }
            return Token.text(UnsafeRawBufferPointer(rebasing: bytes.starts(with: byteOrderMark) ? bytes[3...] : bytes[...]))
        }
    }

    static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// RFC 8259 §8.1 lets a reader pass over the mark that some servers send.
    private static func withoutByteOrderMark(_ data: Data) -> Data {
        data.starts(with: byteOrderMark) ? data.dropFirst(3) : data
    }

    /// What a decoder says of data that isn't the body of an answer, such as an event's.
    static func fault(_ error: any Error, type: any Any.Type, data: Data, in what: String) -> RequestError {
        guard let error = error as? DecodingError else {
            return .decode(.init(.init(codingPath: "", expectedType: "\(type)"), reason: "\(what): \(error)", underlying: error))
        }
        let (path, expected, reason) = Self.parts(of: error)
        let facts = RequestError.Decode(
            codingPath: CodingPath.text(path), expectedType: "\(expected ?? type)", excerpt: JSONExcerpt.text(in: data, at: path))
        return .decode(.init(facts, reason: "\(what): \(reason)", underlying: error))
    }

    /// Place, expected type and words of a decoder's error.
    fileprivate static func parts(of error: DecodingError) -> ([any CodingKey], (any Any.Type)?, String) {
        switch error {
        case .typeMismatch(let expected, let context): (context.codingPath, expected, context.debugDescription)
        case .valueNotFound(let expected, let context): (context.codingPath, expected, context.debugDescription)
        case .keyNotFound(let key, let context): (context.codingPath, nil, "there is no key \(Token.quoted(key.stringValue))")
        case .dataCorrupted(let context):
            (context.codingPath, nil, context.debugDescription + (context.underlyingError.map { " (\($0))" } ?? ""))
        @unknown default: ([], nil, "\(error)")
        }
    }

    fileprivate static func failure(
        _ reason: String, _ type: any Any.Type, _ data: Data, _ head: ResponseHead, at path: [any CodingKey] = [],
        expecting expected: (any Any.Type)? = nil, underlying: (any Error)? = nil
    ) -> RequestError {
        RequestError.decode(
            .init(
                .init(
                    codingPath: CodingPath.text(path), expectedType: "\(expected ?? type)", excerpt: JSONExcerpt.text(in: data, at: path)),
                reason: reason, underlying: underlying)
        ).retold {
            $0.response = FailedResponse(
                head: head, body: Data(data.prefix(FailedResponse.bodyLimit)), isBodyTruncated: data.count > FailedResponse.bodyLimit)
        }
    }
}

extension RequestError {
    fileprivate init(_ error: DecodingError, type: any Any.Type, data: Data, head: ResponseHead, mediaType: MediaType?) {
        let (path, expected, reason) = ModelDecoding.parts(of: error)
        var words = reason
        if path.isEmpty, let mediaType, !mediaType.isJSON, case .dataCorrupted = error {
            words = "the body is \(mediaType.essence), not JSON: \(reason)"
        }
        if let coding = head.headers[.contentEncoding] { words += " (the body is still coded: \(coding))" }
        self = ModelDecoding.failure(words, type, data, head, at: path, expecting: expected, underlying: error)
    }
}
