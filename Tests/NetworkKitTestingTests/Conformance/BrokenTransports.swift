#if canImport(Glibc) || canImport(Musl)
import NetworkKitTesting
import PlatformBase

@testable import NetworkKit

/// The library's own transport, with a fault put in.
protocol BrokenTransport: Transport {
    init()
}

private let good = CurlTransport(.init(proxy: .none))

/// Loses what comes behind a body.
struct DropsTrailers: BrokenTransport {
    func send(_ request: HTTPRequest) async throws(RequestError) -> HTTPResponse {
        var response = try await good.send(request)
        response.body = response.body.map(Body.init)
        return response
    }

    private final class Body: BodyWrapper {
        let source: any BodySource
        let trailers: HTTPFields = [:]
        init(_ source: any BodySource) { self.source = source }
        func next(isolation: isolated (any Actor)?) async throws(RequestError) -> Data? { try await source.next(isolation: isolation) }
    }
}

/// Keeps the fields of an answer in a dictionary.
struct LosesFields: BrokenTransport {
    func send(_ request: HTTPRequest) async throws(RequestError) -> HTTPResponse {
        var response = try await good.send(request)
        let fields = response.headers
        response.headers = [:]
        for field in fields { response.headers[field.name] = field.value }
        return response
    }
}

/// Follows redirects, as platforms do.
struct FollowsRedirects: BrokenTransport {
    func send(_ request: HTTPRequest) async throws(RequestError) -> HTTPResponse {
        let response = try await good.send(request)
        guard response.status.isRedirection, let target = response.headers[.location], target.hasPrefix("/"),
            let url = URL(string: target, relativeTo: request.url)?.absoluteURL
        else { return response }
        return try await good.send(HTTPRequest(url: url))
    }
}

/// Says that a POST is a form, as platforms do.
struct AddsContentType: BrokenTransport {
    func send(_ request: HTTPRequest) async throws(RequestError) -> HTTPResponse {
        var request = request
        if request.method == .post, !request.headers.contains(.contentType) {
            request.headers[.contentType] = "application/x-www-form-urlencoded"
        }
        return try await good.send(request)
    }
}

/// Sends again whatever failed and can be sent.
struct SendsAgain: BrokenTransport {
    // Its own connections, since it is told apart by them.
    private let good = CurlTransport(.init(proxy: .none))

    func send(_ request: HTTPRequest) async throws(RequestError) -> HTTPResponse {
        do {
            return try await good.send(request)
        } catch {
            if error.isCancellation || request.body?.isReplayable == false { throw error }
            return try await good.send(request)
        }
    }
}

/// Takes a body that breaks off for a whole one.
struct TakesShortBodies: BrokenTransport {
    func send(_ request: HTTPRequest) async throws(RequestError) -> HTTPResponse {
        var response = try await good.send(request)
        response.body = response.body.map(Body.init)
        return response
    }

    private final class Body: BodyWrapper {
        let source: any BodySource
        init(_ source: any BodySource) { self.source = source }
        func next(isolation: isolated (any Actor)?) async throws(RequestError) -> Data? {
            do throws(RequestError) {
                return try await source.next(isolation: isolation)
            } catch {
                if case .connection = error { return nil }
                throw error
            }
        }
    }
}

/// Goes on when its task is cancelled.
struct IgnoresCancellation: BrokenTransport {
    func send(_ request: HTTPRequest) async throws(RequestError) -> HTTPResponse {
        let task = Task { () async -> Result<HTTPResponse, RequestError> in
            do throws(RequestError) { return .success(try await good.send(request)) } catch { return .failure(error) }
        }
        return try await task.value.get()
    }
}

/// Gives an answer only when all of it is there.
struct BuffersBodies: BrokenTransport {
    func send(_ request: HTTPRequest) async throws(RequestError) -> HTTPResponse {
        var response = try await good.send(request)
        response.body = ResponseBody(try await response.body.collect(upTo: .max))
        return response
    }
}

/// Never answers, and never notices that nobody waits any more.
struct NeverAnswers: BrokenTransport {
    func send(_ request: HTTPRequest) async throws(RequestError) -> HTTPResponse {
        await Self.kept.wait()
        throw .noResponse()
    }

    private static let kept = Kept()

    /// Continuations that are never resumed, and never let go of.
    private final class Kept: Sendable {
        private let all = Lock<[CheckedContinuation<Void, Never>]>([])
        func wait() async {
            await withCheckedContinuation { continuation in all.withLock { $0.append(continuation) } }
        }
    }
}

/// Blocks the thread that calls it, until a test lets it go.
struct BlocksThreads: Transport {
    let barrier: Barrier

    func send(_ request: HTTPRequest) async throws(RequestError) -> HTTPResponse {
        barrier.wait()
        throw .noResponse()
    }

    /// A pipe that nothing is written to: reading from it blocks until its other end is closed.
    final class Barrier: Sendable {
        private let ends: (reading: Int32, writing: Int32)

        init() {
            var ends: [Int32] = [-1, -1]
            pipe(&ends)
            self.ends = (ends[0], ends[1])
        }

        func wait() {
            var byte: UInt8 = 0
            _ = read(ends.reading, &byte, 1)
        }

        func lift() { close(ends.writing) }

        deinit { close(ends.reading) }
    }
}
#endif
