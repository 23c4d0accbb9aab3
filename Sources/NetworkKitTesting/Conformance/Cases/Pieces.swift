internal import NetworkKit
internal import PlatformBase

/// Pieces of a body to be sent, and perhaps an error behind them.
struct Pieces: AsyncSequence, Sendable {
    struct Broken: Error {}

    private let pieces: [Data]
    private let fails: Bool

    init(_ pieces: String..., fails: Bool = false) {
        self.pieces = pieces.map { Data($0.utf8) }
        self.fails = fails
    }

    init(_ piece: Data) {
        pieces = [piece]
        fails = false
    }

    func makeAsyncIterator() -> Iterator { Iterator(rest: pieces[...], fails: fails) }

    struct Iterator: AsyncIteratorProtocol {
        var rest: ArraySlice<Data>
        let fails: Bool

        mutating func next() async throws -> Data? {
            if rest.isEmpty, fails { throw Broken() }
            return rest.popFirst()
        }
    }
}

extension ConformanceBench {
    /// What a server sees of a request with a body, once it has all of it.
    func sent(_ body: RequestBody?, _ method: HTTPMethod = .post, headers: HTTPFields = [:]) async throws -> RecordedRequest {
        var limits = LoopbackServer.Limits()
        limits.drainedBodySize = 64 << 20
        let server = try await serve(limits: limits) { routes in routes.fallback { _ in .text("taken") } }
        try expect("the status", try await answer(server.baseURL, method, headers: headers, body: body).code, is: 200)
        guard let request = server.requests.first, server.requestCount == 1 else {
            throw ConformanceFailure("\(server.requestCount) requests came, where one was sent")
        }
        try expect(request.isComplete, "the request isn't whole")
        return request
    }

    /// Fails the case unless a body that breaks its promise ends in an error, and the server has no whole request of it.
    @discardableResult
    func expectBroken(_ body: RequestBody, mayBeWhole: Bool = false) async throws -> LoopbackServer {
        let server = try await serve { routes in routes.fallback { _ in .text("taken") } }
        let error = try await failure("a request whose body breaks its promise") { () async throws(RequestError) in
            try await self.answer(server.baseURL, .post, body: body)
        }
        try expect(!error.isCancellation, "the error is a cancellation")
        if case .timedOut = error { throw ConformanceFailure("the request waited for its timeout: \(error)") }
        await server.waitUntilIdle()
        try expect(mayBeWhole || !server.requests.contains(where: \.isComplete), "the server took the request for whole")
        return server
    }
}
