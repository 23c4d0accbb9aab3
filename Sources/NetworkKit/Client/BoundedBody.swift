internal import PlatformBase

extension HTTPResponse {
    /// The answer of a call with a deadline: reading its body ends with the call, and keeps the timer until then.
    func bounded(by scope: CallScope, timer: Alarm.Timer) -> HTTPResponse {
        var response = self
        response.body = body.map { BoundedBody($0, scope: scope, timer: timer) }
        return response
    }
}

/// A body whose reading ends when the call does, also where the transport doesn't know of calls.
private final class BoundedBody: BodyWrapper {
    let source: any BodySource
    private let scope: CallScope
    private let timer: Alarm.Timer

    init(_ source: any BodySource, scope: CallScope, timer: Alarm.Timer) {
        self.source = source
        self.scope = scope
        self.timer = timer
    }

    func next(isolation: isolated (any Actor)?) async throws(RequestError) -> Data? {
        try await orEnding { (source) async throws(RequestError) in try await source.next(isolation: nil) }
    }

    func collect(upTo limit: Int) async throws(RequestError) -> Data {
        try await orEnding { (source) async throws(RequestError) in try await source.collect(upTo: limit) }
    }

    private func orEnding<Value: Sendable>(
        _ read: @escaping @Sendable (any BodySource) async throws(RequestError) -> Value
    ) async throws(RequestError) -> Value {
        if source.endsWithCall {
            do { return try await read(source) } catch { throw scope.ending ?? error }
        }
        let result = await withTaskCancellationHandler {
            await scope.race { [source] () async throws(RequestError) -> Value in try await read(source) }
        } onCancel: {
            scope.end(.cancelled)
        }
        if case .failure = result { source.end() }
        return try result.get()
    }
}
