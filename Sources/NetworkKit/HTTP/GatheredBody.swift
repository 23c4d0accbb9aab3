internal import PlatformBase

extension HTTPResponse {
    /// Waits until the whole body is there, and keeps it for its reader: from then on the answer can't fail any more. What the transport
    /// has given whole, as it does for a small value, is left as it is.
    ///
    /// - Throws: what ends the transfer early, and ``RequestError/responseTooLarge(_:)``.
    nonisolated(nonsending) mutating func gather(upTo limit: Int) async throws(RequestError) {
        guard !body.isWhole else { return }
        do {
            let data = try await body.collect(upTo: limit)
            body = body.map { GatheredBody($0, data) }
        } catch {
            throw broken(by: error)
        }
    }
}

/// A body that has been read, and can be once more.
private final class GatheredBody: BodyWrapper {
    let source: any BodySource
    let expectedLength: Int64?
    let endsWithCall = true
    let isWhole = true
    var held: Data? { rest.withLock { $0 } }
    private let rest: Lock<Data?>

    init(_ source: any BodySource, _ data: Data) {
        self.source = source
        expectedLength = Int64(data.count)
        rest = Lock(data.isEmpty ? nil : data)
    }

    func next(isolation: isolated (any Actor)?) async throws(RequestError) -> Data? {
        rest.withLock { $0.take() }
    }

    func end() {
        source.end()
        rest.withLock { $0 = nil }
    }
}
