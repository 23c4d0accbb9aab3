internal import PlatformBase

extension HTTPResponse {
    /// The answer with a body that fails once it has given more than a number of bytes.
    func limited(to limit: Int) -> HTTPResponse {
        var response = self
        response.body = body.map { LimitedBody($0, limit: limit) }
        return response
    }
}

/// A body that may have so many bytes, for a stream whose endpoint bounds it.
private final class LimitedBody: BodyWrapper {
    let source: any BodySource
    private let limit: Int
    private let count = Lock(0)

    init(_ source: any BodySource, limit: Int) {
        self.source = source
        self.limit = limit
    }

    func next(isolation: isolated (any Actor)?) async throws(RequestError) -> Data? {
        guard let chunk = try await source.next(isolation: isolation) else { return nil }
        let total = count.withLock { count in
            count += chunk.count
            return count
        }
        guard total <= limit else {
            source.end()
            throw .tooLarge(limit: limit)
        }
        return chunk
    }
}
