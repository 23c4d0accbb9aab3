internal import NetworkKit
internal import PlatformBase

/// An endpoint at another server: the sample's, a test's, a proxy's.
struct Rebased<Base: Endpoint>: Endpoint {
    let endpoint: Base
    let baseURL: URL
    var cachePolicy: CachePolicy?

    var path: Path { endpoint.path }
    var method: any RequestMethod { endpoint.method }
    var query: Query { endpoint.query }
    var headers: HTTPFields { endpoint.headers }
    var body: RequestBody? { endpoint.body }
    var options: RequestOptions {
        var options = endpoint.options
        if let cachePolicy { options.cachePolicy = cachePolicy }
        return options
    }
    var decoder: (any ResponseDecoder)? { endpoint.decoder }
}
