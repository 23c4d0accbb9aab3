internal import PlatformBase

/// An answer that several callers get: its head, and its body as far as it came.
struct SharedAnswer: Sendable {
    private let response: HTTPResponse
    private let data: Data
    /// What broke the body off.
    private let failure: RequestError?
    private let metrics: RequestMetrics

    /// Reads an answer's body.
    ///
    /// - Parameter limit: the most bytes of an answer that means success. Of another no more is read than an error keeps.
    init(_ response: HTTPResponse, upTo limit: Int) async {
        self.response = response
        var data = Data()
        var failure: RequestError?
        do throws(RequestError) {
            if response.status.isSuccess {
                data = try await response.body.collect(upTo: limit)
            } else {
                for try await chunk in response.body {
                    if data.isEmpty { data = chunk } else { data.append(chunk) }
                    if data.count > FailedResponse.bodyLimit { throw .tooLarge(limit: FailedResponse.bodyLimit) }
                }
            }
        } catch {
            failure = error
            response.body.discard()
        }
        self.data = data
        self.failure = failure
        metrics = response.body.metrics ?? response.metrics
    }

    /// Whether it means success and is whole.
    var isGood: Bool { failure == nil && response.status.isSuccess }

    /// The answer for one of the callers.
    ///
    /// - Parameter isFirst: whether it began the exchange: then those that listen further in hear what becomes of its model.
    func response(isFirst: Bool) -> HTTPResponse {
        var answer = HTTPResponse(
            head: response.head,
            body: ResponseBody(
                SharedBody(
                    data, failure, trailers: response.body.trailers, metrics: metrics, decoding: isFirst ? response.body.decoding : nil)),
            metrics: metrics)
        answer.request = response.request
        return answer
    }
}

/// One caller's view of a body that has been read for all.
private final class SharedBody: BodySource {
    let expectedLength: Int64?
    let trailers: HTTPFields
    let metrics: RequestMetrics?
    let decoding: (@Sendable (DecodingStep) -> Void)?
    let endsWithCall = true
    private let failure: RequestError?
    private let rest: Lock<Data?>

    init(
        _ data: Data, _ failure: RequestError?, trailers: HTTPFields, metrics: RequestMetrics, decoding: (@Sendable (DecodingStep) -> Void)?
    ) {
        // What broke off doesn't know its length.
        expectedLength = failure == nil ? Int64(data.count) : nil
        self.failure = failure
        self.trailers = trailers
        self.metrics = metrics
        self.decoding = decoding
        rest = Lock(data.isEmpty ? nil : data)
    }

    var isWhole: Bool { failure == nil }

    func next(isolation: isolated (any Actor)?) async throws(RequestError) -> Data? {
        if let data = takeRest() { return data }
        if let failure { throw failure }
        return nil
    }

    func collect(upTo limit: Int) async throws(RequestError) -> Data {
        if let failure { throw failure }
        return takeRest() ?? Data()
    }

    func end() { _ = takeRest() }

    private func takeRest() -> Data? {
        rest.withLock { rest in
            defer { rest = nil }
            return rest
        }
    }
}
