internal import PlatformBase

/// What distinguishes the answers of one URL from each other: whose they are, and which request fields the server chose them by.
struct CacheVariant: Sendable, Hashable {
    /// The identity of the request (see ``CallContext/identity``); `nil` for one without credentials.
    var identity: String?
    /// The request fields that `Vary` names, in the order of their lower-cased names.
    var selectors: [Selector]

    /// A request field that the answer depends on.
    struct Selector: Sendable, Hashable {
        /// In lower case.
        let name: String
        /// The normalised value; a hash of it where it is secret; `nil` where the request had no such field.
        let value: String?
    }
}

/// An answer as it is kept, without its body: all that decides whether it may be used again.
///
/// It goes through many hands each time it is found, so it is one reference.
struct StoredResponse: Sendable {
    private let content: Content

    private final class Content: Sendable {
        let variant: CacheVariant
        let status: HTTPStatus
        let headers: HTTPFields
        let requestTime: Date
        let responseTime: Date
        private let control: CacheControl
        /// Read when the answer is first found: many never are.
        private let known = AtomicLazyReference<ResponseFacts>()

        init(
            _ variant: CacheVariant, _ status: HTTPStatus, _ headers: HTTPFields, requestTime: Date, responseTime: Date,
            _ control: CacheControl
        ) {
            self.variant = variant
            self.status = status
            self.headers = headers
            self.requestTime = requestTime
            self.responseTime = responseTime
            self.control = control
        }

        var facts: ResponseFacts {
            known.load() ?? known.storeIfNil(ResponseFacts(headers, control: control, responseTime: responseTime))
        }
    }

    /// - Parameter control: what `Cache-Control` among the fields says, where it has been read already.
    init(
        variant: CacheVariant, status: HTTPStatus, headers: HTTPFields, control: CacheControl? = nil, requestTime: Date,
        responseTime: Date
    ) {
        content = Content(
            variant, status, headers, requestTime: requestTime, responseTime: responseTime,
            control ?? CacheControl(headers[values: .cacheControl]))
    }

    var variant: CacheVariant { content.variant }
    var status: HTTPStatus { content.status }
    /// The fields as they are handed on, without those of one connection (RFC 9111 §3.1).
    var headers: HTTPFields { content.headers }
    /// When the request that it answers, or that last validated it, was sent, by the cache's own clock.
    var requestTime: Date { content.requestTime }
    /// When that answer came.
    var responseTime: Date { content.responseTime }
    /// What the fields say about its use.
    var facts: ResponseFacts { content.facts }
}
