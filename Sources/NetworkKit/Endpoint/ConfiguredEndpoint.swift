public import PlatformBase

extension Endpoint {
    /// The same call, made otherwise this once: with other options, or at another server.
    ///
    /// ```swift
    /// let fresh = await movies.send(TopRated().with { $0.cachePolicy = .reload })
    /// let staged = await movies.send(TopRated().with(baseURL: staging))
    /// ```
    ///
    /// - Parameters:
    ///   - baseURL: what the path is joined to, in the place of the endpoint's own. Default: that.
    ///   - change: changes the options, which begin as the endpoint's own.
    public func with(baseURL: URL? = nil, _ change: (inout RequestOptions) -> Void = { _ in }) -> ConfiguredEndpoint<Self> {
        var options = options
        change(&options)
        return ConfiguredEndpoint(base: self, baseURL: baseURL ?? self.baseURL, options: options)
    }
}

/// An endpoint with other options, or another base: see ``Endpoint/with(baseURL:_:)``. In a mock and its calls it is the endpoint itself.
public struct ConfiguredEndpoint<Base: Endpoint>: Endpoint {
    /// The endpoint.
    public var base: Base
    /// The URL that the path is joined to.
    public var baseURL: URL
    /// The options.
    public var options: RequestOptions

    /// The endpoint's.
    public var path: Path { base.path }
    /// The endpoint's.
    public var method: any RequestMethod { base.method }
    /// The endpoint's.
    public var query: Query { base.query }
    /// The endpoint's.
    public var headers: HTTPFields { base.headers }
    /// The endpoint's.
    public var body: RequestBody? { base.body }
    /// The endpoint's.
    public var decoder: (any ResponseDecoder)? { base.decoder }
}

extension ConfiguredEndpoint: ResponseEndpoint where Base: ResponseEndpoint {
    /// The endpoint's.
    public typealias Response = Base.Response
}

extension ConfiguredEndpoint: PagedEndpoint where Base: PagedEndpoint {
    /// The endpoint's next page, asked for in the same way.
    public func next(after page: Base.Response, response: HTTPResponse) -> Self? {
        base.next(after: page, response: response).map { Self(base: $0, baseURL: baseURL, options: options) }
    }
}

extension ConfiguredEndpoint: LinkedPageEndpoint where Base: LinkedPageEndpoint {
    /// The endpoint's.
    public var pageURL: URL? {
        get { base.pageURL }
        set { base.pageURL = newValue }
    }
}

extension ConfiguredEndpoint: EndpointWrapper {
    var wrapped: Base { base }
}
