/// What brings a request to a server and its answer back: the inner of the library's two seams.
///
/// A transport gives any status as an answer; it follows no redirect, stores no cookie, caches nothing and signs nothing in.
/// It stops at once when the task is cancelled, and bounds connecting and each silence by ``RequestOptions/timeout``.
///
/// ```swift
/// struct Offline: Transport {
///     func send(_ request: HTTPRequest) async throws(RequestError) -> HTTPResponse {
///         throw .connection(.init(.init(kind: .other), reason: "offline"))
///     }
/// }
/// ```
public protocol Transport: Sendable {
    /// Sends a request and gives its answer as soon as the head is there (or with the body, when the context wants a value).
    ///
    /// - Throws: what went wrong before there was an answer; what goes wrong later is thrown by the body.
    func send(_ request: HTTPRequest) async throws(RequestError) -> HTTPResponse
}

/// A transport that ends a request when its call ends, so that a deadline needs no task of its own to hold it.
package protocol StockTransport: Transport {
    /// Where tasks run without a change of thread between them and the transport; `nil` where there is no such place.
    var loopExecutor: (any TaskExecutor)? { get }
}

extension StockTransport {
    package var loopExecutor: (any TaskExecutor)? { nil }
}
