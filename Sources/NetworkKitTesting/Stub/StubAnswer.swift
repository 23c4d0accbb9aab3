public import NetworkKit
public import PlatformBase

/// What a ``StubTransport`` answers, whole or broken on purpose.
///
/// ```swift
/// .json(page)                                            // an Encodable value
/// .json(#"{"page": 1, "#)                                // text as it is, right or wrong
/// .status(429, headers: ["Retry-After": "1"])
/// .failure(.unauthorized())
/// .text("slow").delayed(by: .seconds(60))
/// .data(bytes).cut(afterBodyBytes: 1000)
/// ```
///
/// The words are those of ``LoopbackResponse``. `Content-Type` follows from the form; no other field is added.
public struct StubAnswer: Sendable {
    enum Body: Sendable {
        /// Pieces, each a chunk of its own.
        case pieces([Data], length: Int64?)
        case sequence(RequestBody.Chunks, length: Int64?)
        /// A model as it is, for a session that knows how to take it.
        case value(any Sendable)
        case failure(RequestError)
        /// What a transport gives, made by hand.
        case response(HTTPResponse)
    }

    /// The status.
    public var status: HTTPStatus
    /// The fields.
    public var headers: HTTPFields
    /// The fields behind the body.
    public var trailers: HTTPFields = [:]

    var body: Body
    var interim: [(status: HTTPStatus, headers: HTTPFields)] = []
    var script = StubScript()

    init(_ status: HTTPStatus, _ headers: HTTPFields, contentType: String? = nil, _ body: Body) {
        self.status = status
        self.headers = headers
        self.body = body
        if let contentType, !headers.contains(.contentType) {
            self.headers.append(HTTPField(name: .contentType, value: contentType))
        }
    }
}

extension StubAnswer {
    /// No content.
    public static func status(_ status: HTTPStatus, headers: HTTPFields = [:]) -> StubAnswer {
        StubAnswer(status, headers, .pieces([], length: 0))
    }

    /// Bytes.
    public static func data(
        _ data: Data, contentType: String? = nil, status: HTTPStatus = 200, headers: HTTPFields = [:]
    ) -> StubAnswer {
        StubAnswer(status, headers, contentType: contentType, .pieces([data], length: Int64(data.count)))
    }

    /// Text in UTF-8, as `text/plain`.
    public static func text(_ text: String, status: HTTPStatus = 200, headers: HTTPFields = [:]) -> StubAnswer {
        data(Data(text.utf8), contentType: "text/plain; charset=utf-8", status: status, headers: headers)
    }

    /// JSON that is already text. It is answered as it is, right or wrong.
    public static func json(_ text: String, status: HTTPStatus = 200, headers: HTTPFields = [:]) -> StubAnswer {
        data(Data(text.utf8), contentType: "application/json", status: status, headers: headers)
    }

    /// A value as JSON.
    ///
    /// - Parameter encoder: what writes it. A value that it can't write fails the request with ``RequestError/encode(_:)``.
    public static func json(
        _ value: some Encodable, encoder: any RequestEncoder = .json, status: HTTPStatus = 200, headers: HTTPFields = [:]
    ) -> StubAnswer {
        do {
            return data(try encoder.encode(value), contentType: "application/json", status: status, headers: headers)
        } catch {
            return failure(.encode(.init(reason: "the stub's answer doesn't encode: \(error)", underlying: error)))
        }
    }

    /// Pieces, each a chunk of its own, for callers that read a stream. Empty ones are left out.
    public static func chunks(
        _ chunks: [Data], contentType: String? = nil, status: HTTPStatus = 200, headers: HTTPFields = [:]
    ) -> StubAnswer {
        StubAnswer(status, headers, contentType: contentType, .pieces(chunks, length: nil))
    }

    /// The same for pieces of text.
    public static func chunks(
        _ chunks: [String], contentType: String? = "text/plain; charset=utf-8", status: HTTPStatus = 200, headers: HTTPFields = [:]
    ) -> StubAnswer {
        self.chunks(chunks.map { Data($0.utf8) }, contentType: contentType, status: status, headers: headers)
    }

    /// Pieces that are made while they are read. An error that the sequence throws ends the body.
    ///
    /// - Parameter length: how many bytes there will be, when that is to be known.
    public static func stream<Chunks: AsyncSequence & Sendable>(
        _ sequence: Chunks, length: Int64? = nil, contentType: String? = nil, status: HTTPStatus = 200, headers: HTTPFields = [:]
    ) -> StubAnswer where Chunks.Element == Data {
        StubAnswer(
            status, headers, contentType: contentType,
            .sequence(RequestBody.stream(contentType: nil, open: { sequence }).chunks(), length: length))
    }

    /// A redirect.
    public static func redirect(to location: String, status: HTTPStatus = 302) -> StubAnswer {
        .status(status, headers: ["Location": location])
    }

    /// No answer: the transport fails with this error.
    public static func failure(_ error: RequestError) -> StubAnswer {
        StubAnswer(0, [:], .failure(error))
    }

    /// No answer: the connection fails in this way.
    public static func connection(_ kind: RequestError.Connection.Kind) -> StubAnswer {
        .failure(.connection(.init(.init(kind: kind), reason: "the stub has the connection fail")))
    }

    /// An answer made by hand, body and all. Of delays and faults it takes ``delayed(by:)`` only; its body can be read once.
    public static func response(_ response: HTTPResponse) -> StubAnswer {
        StubAnswer(response.status, response.headers, .response(response))
    }

    /// No answer, ever: the request ends when its `timeout`, its deadline or its cancellation comes.
    public static var stalled: StubAnswer {
        StubAnswer(200, [:], .pieces([], length: 0)).with { $0.script.isSilent = true }
    }
}

extension StubAnswer {
    /// The answer with fields added behind those that it has.
    public func adding(_ fields: HTTPFields) -> StubAnswer {
        with { answer in fields.forEach { answer.headers.append($0) } }
    }

    /// The answer with fields behind the body.
    public func trailers(_ fields: HTTPFields) -> StubAnswer {
        with { $0.trailers = fields }
    }

    /// The answer with an interim one before it, 103 for instance.
    public func interim(_ status: HTTPStatus, _ headers: HTTPFields = [:]) -> StubAnswer {
        with { $0.interim.append((status, headers)) }
    }

    func with(_ change: (inout StubAnswer) -> Void) -> StubAnswer {
        var copy = self
        change(&copy)
        return copy
    }
}
