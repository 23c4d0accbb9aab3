import Foundation
import NetworkKit
import NetworkKitTesting

/// A folder that goes with the test.
final class ScratchFolder: Sendable {
    let url = FileManager.default.temporaryDirectory.appending(path: "cassettes-\(UUID().uuidString)")
    func path(_ name: String) -> String { url.appending(path: name).path }
    deinit { try? FileManager.default.removeItem(at: url) }
}

extension Cassette {
    func client(_ interceptors: [any Interceptor] = [], clock: any Clock<Duration> = ContinuousClock()) -> NetworkClient {
        NetworkClient(session: HTTPSession(transport: self, interceptors: interceptors, clock: clock))
    }

    var archive: HAR { get throws { try HAR(json: Data(contentsOf: URL(filePath: path))) } }
}

struct Ask: Endpoint {
    var baseURL = sampleURL("https://films.test/3")
    var path: Path = "ask"
    var method: any RequestMethod = .get
    var query: Query = [:]
    var headers: HTTPFields = [:]
    var body: RequestBody?
}
