public import NetworkKit
public import PlatformBase

/// An answer of a ``LoopbackServer``, whole or broken on purpose.
///
/// ```swift
/// .json(#"{"id": 550}"#).adding(["ETag": "\"1\""])
/// .text("slow").delayed(by: .seconds(2))
/// .generated(bytes: 1 << 30, chunk: 64 << 10).cut(afterBodyBytes: 1_000_000)
/// ```
///
/// The server adds `Content-Length`, or `Transfer-Encoding: chunked` where the length isn't known, and `Connection: close` where
/// it closes; a field of these names that the answer brings is sent instead. It adds nothing else.
public struct LoopbackResponse: Sendable {
    /// The status.
    public var status: HTTPStatus
    /// The fields, sent in this order and case. What they say wins over what the server would add, also where it is wrong.
    public var headers: HTTPFields
    /// The fields behind the body; they make the body chunked.
    public var trailers: HTTPFields = [:]

    var body: ResponseBodySource
    var interims: [(status: HTTPStatus, headers: HTTPFields)] = []
    var isChunked = false
    var script = FaultScript()

    init(status: HTTPStatus, headers: HTTPFields = [:], body: ResponseBodySource = .data(Data())) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    private init(_ status: HTTPStatus, _ headers: HTTPFields, contentType: String?, _ body: ResponseBodySource) {
        self.init(status: status, headers: headers, body: body)
        if let contentType, !headers.contains(.contentType) {
            self.headers.append(HTTPField(name: .contentType, value: contentType))
        }
    }
}

extension LoopbackResponse {
    /// No content.
    public static func status(_ status: HTTPStatus, headers: HTTPFields = [:]) -> LoopbackResponse {
        LoopbackResponse(status: status, headers: headers)
    }

    /// Bytes, with their length.
    public static func data(
        _ data: Data, contentType: String? = nil, status: HTTPStatus = 200, headers: HTTPFields = [:]
    ) -> LoopbackResponse {
        LoopbackResponse(status, headers, contentType: contentType, .data(data))
    }

    /// Text in UTF-8, as `text/plain`.
    public static func text(_ text: String, status: HTTPStatus = 200, headers: HTTPFields = [:]) -> LoopbackResponse {
        LoopbackResponse(status, headers, contentType: "text/plain; charset=utf-8", .data(Data(text.utf8)))
    }

    /// JSON that is already text. It is sent as it is, right or wrong.
    public static func json(_ text: String, status: HTTPStatus = 200, headers: HTTPFields = [:]) -> LoopbackResponse {
        LoopbackResponse(status, headers, contentType: "application/json", .data(Data(text.utf8)))
    }

    /// Pieces, each sent as a chunk of its own. Empty ones are left out: they would end the body.
    public static func chunks(
        _ chunks: [Data], contentType: String? = nil, status: HTTPStatus = 200, headers: HTTPFields = [:]
    ) -> LoopbackResponse {
        LoopbackResponse(status, headers, contentType: contentType, .pieces(chunks))
    }

    /// A sequence of pieces, each sent, as a chunk of its own, when it comes, and asked for when the client has taken the one
    /// before. An error in the sequence breaks the answer off.
    public static func stream(
        _ sequence: some AsyncSequence<Data, any Error> & Sendable, contentType: String? = nil, status: HTTPStatus = 200,
        headers: HTTPFields = [:]
    ) -> LoopbackResponse {
        LoopbackResponse(status, headers, contentType: contentType, .sequence { SequencePieces(sequence.makeAsyncIterator()) })
    }

    /// A sequence of pieces that can't fail; otherwise as the one that can.
    public static func stream(
        _ sequence: some AsyncSequence<Data, Never> & Sendable, contentType: String? = nil, status: HTTPStatus = 200,
        headers: HTTPFields = [:]
    ) -> LoopbackResponse {
        LoopbackResponse(status, headers, contentType: contentType, .sequence { SequencePieces(sequence.makeAsyncIterator()) })
    }

    /// A body of any length, made as it is sent, so that it takes no memory. The byte at offset `n` is `n % 251`, whatever the
    /// chunks are: a piece that is lost, doubled or moved shows.
    ///
    /// - Parameters:
    ///   - bytes: the length, in bytes.
    ///   - chunk: the most bytes written at a time, 1 MiB at most.
    public static func generated(
        bytes: Int, chunk: Int = 64 << 10, contentType: String? = "application/octet-stream", status: HTTPStatus = 200,
        headers: HTTPFields = [:]
    ) -> LoopbackResponse {
        LoopbackResponse(status, headers, contentType: contentType, .generated(count: max(0, bytes), chunk: max(1, chunk)))
    }
}

extension LoopbackResponse {
    /// The answer with fields added behind those that it has.
    public func adding(_ fields: HTTPFields) -> LoopbackResponse {
        with { response in fields.forEach { response.headers.append($0) } }
    }

    /// The answer with fields behind the body, which is then chunked.
    public func trailers(_ fields: HTTPFields) -> LoopbackResponse {
        with { $0.trailers = fields }
    }

    /// The answer with an interim one before it, 103 for instance. Several are sent in the order in which they were added; a
    /// client of HTTP/1.0 gets none.
    public func interim(_ status: HTTPStatus, _ headers: HTTPFields = [:]) -> LoopbackResponse {
        with { $0.interims.append((status, headers)) }
    }

    /// The answer with a chunked body, in chunks of `size` bytes each.
    public func chunked(into size: Int) -> LoopbackResponse {
        with {
            $0.body = $0.body.resliced(into: max(1, size))
            $0.isChunked = true
        }
    }

    /// The answer, after which the connection is closed, as `Connection: close` tells.
    public func closingConnection() -> LoopbackResponse {
        with { $0.script.closing = .announced }
    }

    /// The answer, after which the connection is closed though nothing tells so: a kept connection that is stale.
    public func closingSilently() -> LoopbackResponse {
        with { $0.script.closing = .silent }
    }

    func with(_ change: (inout LoopbackResponse) -> Void) -> LoopbackResponse {
        var copy = self
        change(&copy)
        return copy
    }
}
