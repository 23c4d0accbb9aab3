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
struct StoredResponse: Sendable {
    let variant: CacheVariant
    let status: HTTPStatus
    /// The fields as they are handed on, without those of one connection (RFC 9111 §3.1).
    let headers: HTTPFields
    /// When the request that it answers, or that last validated it, was sent, by the cache's own clock.
    let requestTime: Date
    /// When that answer came.
    let responseTime: Date
    /// What the fields say about its use, read once.
    let facts: ResponseFacts

    init(variant: CacheVariant, status: HTTPStatus, headers: HTTPFields, requestTime: Date, responseTime: Date) {
        self.variant = variant
        self.status = status
        self.headers = headers
        self.requestTime = requestTime
        self.responseTime = responseTime
        facts = ResponseFacts(headers, responseTime: responseTime)
    }
}
