internal import PlatformBase

/// Where a walk through pages stands: a value, which each page makes anew.
struct PageWalk<E: PagedEndpoint>: Sendable {
    let session: HTTPSession
    let limit: Int
    let allowsRepeats: Bool
    /// The endpoint of the page to come; `nil` behind the last.
    private(set) var upcoming: E?
    /// How many pages have come.
    private var count = 0
    /// The request of the first page, whose home the secrets belong to.
    private var first: HTTPRequest?
    private var history = PageHistory()

    init(_ endpoint: E, session: HTTPSession, limit: Int?, allowsRepeats: Bool) {
        self.session = session
        self.limit = limit ?? .max
        self.allowsRepeats = allowsRepeats
        upcoming = self.limit > 0 ? endpoint : nil
    }

    /// A page, and the walk behind it.
    struct Step: Sendable {
        let page: E.Response
        let walk: PageWalk
    }

    /// Fetches a page, off the caller's actor; `nil` behind the last.
    @concurrent
    func step() async throws(RequestError) -> Step? {
        guard let endpoint = upcoming else { return nil }
        var walk = self
        let request = try walk.request(endpoint)
        let answer = Answer(request: request, response: try await session.value(request).get())
        if !allowsRepeats { try walk.history.add(answer.response.data, of: request) }
        let page = try await answer.model(E.Response.self, decoder: endpoint.decoder ?? session.decoder)
        walk.count += 1
        // Nothing is asked of the endpoint that nobody wants to know.
        walk.upcoming =
            walk.count < limit
            ? endpoint.next(after: page, response: HTTPResponse(head: answer.response.head, metrics: answer.response.metrics)) : nil
        return Step(page: page, walk: walk)
    }

    private mutating func request(_ endpoint: E) throws(RequestError) -> HTTPRequest {
        let wantsJSON = endpoint.decoder == nil && !(E.Response.self is any NotJSON.Type)
        var request = try session.request(for: endpoint, delivery: .value, wantsJSON: wantsJSON)
        if let first { try request.keepSecrets(at: first) } else { first = request }
        if !allowsRepeats { try history.add(request) }
        return request
    }
}

/// A page that is fetched before it is asked for. Letting go of it ends the request.
final class PageFetch<E: PagedEndpoint>: Sendable {
    private let task: Task<Result<PageWalk<E>.Step?, RequestError>, Never>

    init(_ walk: PageWalk<E>) {
        task = Task {
            do throws(RequestError) { return .success(try await walk.step()) } catch { return .failure(error) }
        }
    }

    nonisolated(nonsending) func step() async throws(RequestError) -> PageWalk<E>.Step? {
        try await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }.get()
    }

    deinit { task.cancel() }
}
