public import NetworkKit
public import PlatformBase

/// A request as a route of a ``LoopbackServer`` sees it.
public struct LoopbackRequest: Sendable {
    /// Counts the requests of the server, from 1.
    public let number: Int
    /// Counts the requests that came to the same route, from 1: `request.occurrence == 1 ? .status(503) : .json("{}")`.
    public let occurrence: Int
    /// The method.
    public let method: HTTPMethod
    /// The target exactly as it came.
    public let target: String
    /// The header fields: order, case and repetition as they came.
    public let headers: HTTPFields
    /// What the path has in the places of the pattern's names, decoded; what a trailing `*` stands for, under `"*"`.
    public let parameters: [String: String]
    /// Counts the connections of the server, from 1.
    public let connection: Int
    /// Whether the connection had carried a request before.
    public let isReused: Bool

    let incoming: IncomingBody
    let isOldVersion: Bool
    let asksToKeepConnection: Bool
}

extension LoopbackRequest {
    /// The path of the target as it came, not decoded.
    public var path: String { RequestTarget(target).path }
    /// The query as it came, not decoded.
    public var query: String? { RequestTarget(target).query }
    /// The items of the query in order, decoded as servers do: `+` is a space.
    public var queryItems: [QueryItem] { RequestTarget(target).items }

    /// The first value of a query item, decoded.
    public func query(_ name: String) -> String? {
        queryItems.first { $0.name == name }?.value
    }

    /// The content, read to its end. A client that sent `Expect: 100-continue` is told to go on. Asked again it gives the same.
    ///
    /// - Parameter limit: the most bytes to take, 64 MiB unless said otherwise.
    /// - Throws: ``LoopbackError/bodyTooLarge(limit:)``, ``LoopbackError/malformedRequest(status:reason:)`` where the chunks are
    ///   no chunks, ``LoopbackError/clientGone``.
    public func body(upTo limit: Int = 64 << 20) async throws(LoopbackError) -> Data {
        try await incoming.collect(upTo: limit)
    }

    /// The content as text, bytes that are no UTF-8 replaced. It throws as ``body(upTo:)`` does.
    public func text() async throws(LoopbackError) -> String {
        String(decoding: try await body(), as: UTF8.self)
    }

    /// The fields behind a chunked body, once it has been read to its end.
    public var trailers: HTTPFields { incoming.trailers }

    /// Returns when the client has closed its side of the connection, or broken it.
    ///
    /// What the client sends in the meantime is kept for reading, up to 64 KiB; one that sends more is no longer watched.
    ///
    /// - Throws: ``LoopbackError/connectionClosed`` when the server stops or the task is cancelled.
    public func waitForClientToClose() async throws(LoopbackError) {
        do {
            try await incoming.reader.waitForEnd()
        } catch .clientGone {
            return
        }
    }
}
