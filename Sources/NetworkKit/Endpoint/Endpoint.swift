public import PlatformBase

/// One call of an API, described: where it goes, how, and with what.
///
/// Only ``baseURL`` and ``path`` are required; the rest has defaults. An API is a protocol that gives the base, and its calls are an
/// enum or a struct each:
///
/// ```swift
/// protocol TMDBEndpoint: Endpoint {}
/// extension TMDBEndpoint { var baseURL: URL { URL(string: "https://api.themoviedb.org/3")! } }
///
/// struct TopRated: TMDBEndpoint, ResponseEndpoint {
///     typealias Response = Page<Movie>
///     var page = 1
///     var path: Path { "movie/top_rated" }
///     var query: Query { ["page": page] }
/// }
/// ```
///
/// A member of another type than here, such as `var method: HTTPMethod`, is another property, which no call reads:
/// ``HTTPClient/explain(_:)`` shows what would be sent.
public protocol Endpoint: Sendable {
    /// The URL that ``path`` is joined to: scheme and host, and a path and query if the API has them. User name and password in it
    /// become `Authorization: Basic`.
    var baseURL: URL { get }
    /// What is joined to the base, with exactly one slash. An empty path leaves the base untouched.
    var path: Path { get }
    /// The method. Default: `.get`.
    var method: any RequestMethod { get }
    /// The query, added to those of the base URL and the path. Default: none.
    var query: Query { get }
    /// The fields. Default: none.
    var headers: HTTPFields { get }
    /// The body. Default: none.
    var body: RequestBody? { get }
    /// Time limits, cache and redirect policy, idempotency key. Default: the session's.
    var options: RequestOptions { get }
    /// What reads the answer's body, where the session's decoder isn't right for it. Default: `nil`, the session's.
    var decoder: (any ResponseDecoder)? { get }
}

extension Endpoint {
    /// `.get`.
    public var method: any RequestMethod { .get }
    /// None.
    public var query: Query { [:] }
    /// None.
    public var headers: HTTPFields { [:] }
    /// None.
    public var body: RequestBody? { nil }
    /// The session's.
    public var options: RequestOptions { .init() }
    /// The session's.
    public var decoder: (any ResponseDecoder)? { nil }
}

/// An endpoint that knows the type of its answer, so that the call needs no other: `await client.send(TopRated(page: 2))`.
public protocol ResponseEndpoint<Response>: Endpoint {
    /// What the answer's body is read as.
    associatedtype Response: Decodable & Sendable
}
