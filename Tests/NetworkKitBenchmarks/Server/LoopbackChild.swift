import NetworkKit
import NetworkKitTesting
import PlatformBase
import TestSupport

/// This package's own server in a process of its own, for machines without nginx. It is slower than nginx, so that the figures say
/// less of the clients; and it speaks no TLS.
enum LoopbackChild {
    static let option = "--serve"

    static func start() throws -> RunningServer {
        let (process, line) = try ChildProcess.reading(ChildProcess.own, [option])
        guard let port = Int(line) else {
            process.terminate()
            process.wait()
            throw Unavailable("the server doesn't start")
        }
        return RunningServer(server: Server(port: port), name: "LoopbackServer", process: process)
    }

    /// The child's side: serves until it is ended, by a signal or with its parent.
    static func serve() async throws {
        let small = Data(repeating: 0x61, count: 1024)
        let big = Data(repeating: 0x62, count: Scenario.bigSize)
        let json = try JSONEncoder().encode(MoviePage.synthetic)
        var limits = LoopbackServer.Limits()
        limits.recordedRequests = 0
        limits.recordedBodySize = 0
        // Uploads are read to their end before they are answered, and not kept.
        limits.drainedBodySize = Scenario.largeSize
        let server = try await LoopbackServer.start(limits: limits) { routes in
            routes.get("/1k") { _ in .data(small) }
            routes.get("/cached") { _ in .data(small, headers: ["Cache-Control": "max-age=3600"]) }
            routes.get("/64m") { _ in .data(big) }
            routes.get("/1g") { _ in .generated(bytes: Scenario.largeSize, chunk: 256 << 10, headers: ["ETag": "\"1\""]) }
            routes.get("/json") { _ in .data(json, contentType: "application/json") }
            routes.on(.put, "/upload") { _ in .data(Data("ok".utf8)) }
        }
        let parent = getppid()
        print(server.port)
        fflush(nil)
        while getppid() == parent { try await ContinuousClock().sleep(for: .milliseconds(500)) }
        await server.stop()
    }
}
