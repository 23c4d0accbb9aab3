#if URLSession
import Foundation
import PlatformBase

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// `URLSession` as its users use it, with caches and cookies off and as many connections as the others.
final class URLSessionClient: BenchmarkClient {
    let name = "urlsession"
    private let session: URLSession
    private let counter = ByteCounter()

    init() {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.httpCookieStorage = nil
        configuration.httpMaximumConnectionsPerHost = 1000
        session = URLSession(configuration: configuration, delegate: counter, delegateQueue: nil)
    }

    deinit { session.finishTasksAndInvalidate() }

    func run(_ load: Load, within bounds: Bounds) async throws -> Round {
        let session = session
        switch load {
        case .get(let url, 1), .getOnLoop(let url), .buffer(let url):
            return try await Tickets.run(bounds) { try await session.data(from: url).0.count }
        case .get(let url, let inFlight):
            return try await Tickets.run(bounds, inFlight: inFlight) { try await session.data(from: url).0.count }
        case .stream(let url):
            // On Linux there is no `bytes(from:)`: only a delegate sees a body in pieces.
            return try await Tickets.run(bounds) { try await counter.count(session.dataTask(with: url)) }
        case .upload(let url, let data):
            var request = URLRequest(url: url)
            request.httpMethod = "PUT"
            return try await Tickets.run(bounds) { [request] in
                _ = try await session.upload(for: request, from: data)
                return data.count
            }
        case .uploadFile(let url, let file):
            var request = URLRequest(url: url)
            request.httpMethod = "PUT"
            return try await Tickets.run(bounds) { [request] in
                _ = try await session.upload(for: request, fromFile: file)
                return BigFile.size
            }
        case .model(let url):
            return try await Tickets.run(bounds) {
                try JSONDecoder().decode(MoviePage.self, from: try await session.data(from: url).0).results.count
            }
        case .download, .stub, .observed, .resilience, .cached, .streamed, .program:
            throw Unavailable("no scenario of \(name)")
        }
    }
}

/// Counts the bytes of one task after another.
private final class ByteCounter: NSObject, URLSessionDataDelegate, Sendable {
    private let state = Lock<(count: Int, waiter: CheckedContinuation<Int, any Error>?)>((0, nil))

    func count(_ task: URLSessionDataTask) async throws -> Int {
        try await withCheckedThrowingContinuation { continuation in
            state.withLock { $0 = (0, continuation) }
            task.resume()
        }
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let count = data.count
        state.withLock { $0.count += count }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let (count, waiter) = state.withLock { state in
            defer { state.waiter = nil }
            return (state.count, state.waiter)
        }
        if let error { waiter?.resume(throwing: error) } else { waiter?.resume(returning: count) }
    }
}
#endif
