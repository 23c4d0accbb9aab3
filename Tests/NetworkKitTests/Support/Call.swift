import NetworkKit
import NetworkKitTesting
import PlatformBase

/// Any call, for tests that are about what happens to it.
struct Call: Endpoint {
    var baseURL: URL
    var path: Path = ""
    var method: any RequestMethod = .get
    var query: Query = [:]
    var headers: HTTPFields = [:]
    var body: RequestBody?
    var options = RequestOptions()
    var decoder: (any ResponseDecoder)?
}

extension LoopbackServer {
    /// A call of this server.
    func call(
        _ path: Path = "", _ method: any RequestMethod = .get, query: Query = [:], headers: HTTPFields = [:], body: RequestBody? = nil,
        options: RequestOptions = .init()
    ) -> Call {
        Call(baseURL: baseURL, path: path, method: method, query: query, headers: headers, body: body, options: options)
    }
}

/// A client of the transport under test, without the proxy that the machine may be behind.
struct TestClient: HTTPClient {
    var session: HTTPSession

    init(
        _ options: CurlTransport.Options = .init(proxy: .none), interceptors: [any Interceptor] = [], defaults: RequestOptions = .init()
    ) {
        session = HTTPSession(transport: CurlTransport(options), interceptors: interceptors, defaults: defaults)
    }
}

extension TestClient {
    /// The text that a call answers with.
    func text(_ call: Call) async throws(RequestError) -> String {
        try await sendRequest(endpoint: call, responseModel: String.self).get()
    }
}

extension Result where Failure == RequestError {
    /// The error of a call that must fail.
    var failure: RequestError? { if case .failure(let error) = self { error } else { nil } }
}

/// A model that echoes tell of.
struct Item: Codable, Sendable, Equatable {
    var id: Int
    var name: String?
}
