import NetworkKitTesting
import PlatformBase
import Testing

@testable import NetworkKit

/// The moment at which the cache's tests begin: 2026-01-01 00:00:00, which is a test clock's too.
let cacheStart = Date(timeIntervalSince1970: 1_767_225_600)

/// A date so many seconds after the start, as HTTP writes it.
func httpDate(_ seconds: Double) -> String { HTTPDate.text(cacheStart.addingTimeInterval(seconds)) ?? "" }

/// An answer as it is kept: asked for and come at the start, unless said otherwise.
func storedResponse(
    _ headers: HTTPFields, status: HTTPStatus = 200, identity: String? = nil, selectors: [CacheVariant.Selector] = [],
    requestTime: Double = 0, responseTime: Double = 0
) -> StoredResponse {
    StoredResponse(
        variant: CacheVariant(identity: identity, selectors: selectors), status: status, headers: headers,
        requestTime: cacheStart.addingTimeInterval(requestTime), responseTime: cacheStart.addingTimeInterval(responseTime))
}

func cacheEntry(_ response: StoredResponse, id: UInt64 = 1, length: Int64 = 10) -> CacheEntry {
    CacheEntry(id: id, response: response, length: length)
}

/// A request for one page.
func pageRequest(
    _ text: String = "https://a.test/page", _ method: HTTPMethod = .get, _ headers: HTTPFields = [:], policy: CachePolicy? = nil,
    identity: String? = nil, clock: TestClock = TestClock()
) -> HTTPRequest {
    var request = HTTPRequest(
        url: url(text), method: method, headers: headers, options: .init(cachePolicy: policy), context: CallContext(clock: clock))
    request.context.identity = identity
    return request
}

/// A cache in front of a stub, on a clock that stands still.
struct CacheBench {
    let clock = TestClock()
    let cache: HTTPCache
    let stub: StubTransport

    init(cache: HTTPCache = HTTPCache(), _ stub: StubTransport) {
        self.cache = cache
        self.stub = stub
    }

    init(cache: HTTPCache = HTTPCache(), _ answer: StubAnswer, _ more: StubAnswer...) {
        let answers = [answer] + more
        let stub = StubTransport { routes in
            routes.fallback { request in answers[min(request.number, answers.count) - 1] }
        }
        self.init(cache: cache, stub)
    }

    func send(_ request: HTTPRequest) async throws(RequestError) -> HTTPResponse {
        var request = request
        let context = request.context
        request.context = CallContext(clock: clock)
        request.context.identity = context.identity
        request.context.delivery = context.delivery
        request.context.scope = context.scope
        request.context.deadline = context.deadline
        return try await Next(interceptors: [.cache(cache)], transport: stub)(request)
    }

    /// Sends a request and reads its answer.
    @discardableResult
    func get(
        _ text: String = "https://a.test/page", _ method: HTTPMethod = .get, _ headers: HTTPFields = [:], policy: CachePolicy? = nil,
        identity: String? = nil
    ) async throws(RequestError) -> CacheReading {
        try await read(pageRequest(text, method, headers, policy: policy, identity: identity))
    }

    func read(_ request: HTTPRequest) async throws(RequestError) -> CacheReading {
        let response = try await send(request)
        return CacheReading(response: response, text: String(decoding: try await response.body.collect(upTo: 1 << 20), as: UTF8.self))
    }
}

/// An answer that was read.
struct CacheReading: CustomStringConvertible {
    let response: HTTPResponse
    let text: String

    var use: RequestMetrics.CacheUse? { response.metrics.cache }
    var status: Int { response.status.code }
    var headers: HTTPFields { response.headers }
    var cacheStatus: String? { response.headers["Cache-Status"] }
    var description: String { "\(status) \(text) \(use.map { "\($0)" } ?? "-") \(cacheStatus ?? "-")" }
}
