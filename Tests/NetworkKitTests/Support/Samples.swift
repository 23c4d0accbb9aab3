import Foundation
import NetworkKitTesting
import Testing

@testable import NetworkKit

/// An endpoint put together in a test.
struct SampleEndpoint: Endpoint {
    var baseURL = url("https://api.example.com")
    var path: Path = ""
    var method: any RequestMethod = .get
    var query: Query = [:]
    var headers: HTTPFields = [:]
    var body: RequestBody?
    var options = RequestOptions()
}

/// A URL that a test is sure of.
func url(_ text: String) -> URL {
    guard let url = URL(string: text) else { preconditionFailure("\(text) is no URL") }
    return url
}

/// The error that the work ends with; records an issue when it ends well.
func failure<Value>(
    of work: () throws(RequestError) -> Value, sourceLocation: SourceLocation = #_sourceLocation
) -> RequestError? {
    do throws(RequestError) {
        let value = try work()
        Issue.record("expected a failure, got \(value)", sourceLocation: sourceLocation)
        return nil
    } catch {
        return error
    }
}

/// The same for work that waits.
func failure<Value>(
    of work: () async throws(RequestError) -> Value, sourceLocation: SourceLocation = #_sourceLocation
) async -> RequestError? {
    do throws(RequestError) {
        let value = try await work()
        Issue.record("expected a failure, got \(value)", sourceLocation: sourceLocation)
        return nil
    } catch {
        return error
    }
}

extension RequestError {
    var invalidComponent: InvalidURL.Component? {
        if case .invalidURL(let details) = self { details.component } else { nil }
    }
    var encodePart: Encode.Part? {
        if case .encode(let details) = self { details.part } else { nil }
    }
    var connectionKind: Connection.Kind? {
        if case .connection(let details) = self { details.kind } else { nil }
    }
    var redirectFault: Redirect.Fault? {
        if case .redirect(let details) = self { details.fault } else { nil }
    }
}

/// All that a value shows of itself: description, debug description, reflection and dump.
func everythingShown(of value: Any) -> String {
    var dumped = ""
    dump(value, to: &dumped)
    return ["\(value)", String(reflecting: value), dumped].joined(separator: "\n")
}

/// Cases that are kept beside the repository, where they are: what they say is repeated in tables of our own.
enum SharedSuite {
    static func data(_ name: String, of suite: String = "small") -> Data? {
        let root = URL(filePath: #filePath).appending(path: "../../../../../shared/suites/\(suite)").standardized
        return try? Data(contentsOf: root.appending(path: name))
    }
}

extension StubTransport {
    /// Redirects from one URL to the next, in the order given; 200 at what leads nowhere.
    convenience init(redirects: [String: String], status: HTTPStatus = 302) {
        self.init {
            $0.fallback { request in redirects[request.url.absoluteString].map { .redirect(to: $0, status: status) } ?? .status(200) }
        }
    }

    /// Answers with responses made by hand.
    convenience init(_ respond: @escaping @Sendable (HTTPRequest) throws(RequestError) -> HTTPResponse) {
        self.init { $0.fallback { .response(try respond($0.request)) } }
    }
}
