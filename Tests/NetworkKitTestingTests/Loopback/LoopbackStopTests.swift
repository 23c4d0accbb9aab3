import NetworkKit
import NetworkKitTesting
import PlatformBase
import Testing

@Suite(.serialized) struct LoopbackStopTests {
    @Test func aStoppedServerRefusesConnections() async throws {
        var isRefused = false
        // The system may give its port to another test's server at once.
        for _ in 0..<10 where !isRefused {
            let server = try await LoopbackServer.start { $0.get("/") { _ in .text("hello") } }
            let port = server.port
            #expect(server.baseURL.absoluteString == "http://127.0.0.1:\(port)")
            #expect(server.url("/a?b=c").absoluteString == "http://127.0.0.1:\(port)/a?b=c")
            await server.stop()
            await server.stop()
            isRefused = (try? await RawClient(port)) == nil
        }
        #expect(isRefused)
    }

    @Test func aStopEndsRoutesThatRunAndWaitsThatWait() async throws {
        let ran = Ran()
        let server = try await LoopbackServer.start { routes in
            routes.get("/") { _ in
                do {
                    try await Task.sleep(for: .seconds(3_600))
                } catch {
                    ran.note("cancelled")
                }
                return .status(204)
            }
        }
        let client = try await RawClient(server.port)
        try await client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
        await server.waitForRequests(1)
        async let waiting: Void = server.waitForConnections(100)
        await server.stop()
        await waiting
        #expect(ran.texts == ["cancelled"])
        #expect(server.openConnectionCount == 0)
    }

    @Test func theScopedFormStopsWhenItsBodyThrows() async throws {
        struct Broken: Error {}
        var port = 0
        await #expect(throws: Broken.self) {
            try await LoopbackServer.with {
                $0.get("/") { _ in .status(204) }
            } perform: { server in
                port = server.port
                throw Broken()
            }
        }
        let closed = port
        await #expect(throws: RawClient.Failure.self) { try await RawClient(closed) }
    }

    @MainActor @Test func theScopedFormRunsItsBodyWhereItIsCalled() async throws {
        final class Label { var text = "" }
        let label = Label()
        try await LoopbackServer.with {
            $0.get("/") { _ in .text("hello") }
        } perform: { server in
            MainActor.assertIsolated()
            label.text = try await RawClient(server.port).get("/").text
        }
        #expect(label.text == "hello")
    }

    @Test func aWaitEndsWhenItsTaskIsCancelled() async throws {
        try await withServer { _ in
        } _: { server in
            let waiting = Task { await server.waitForRequests(1) }
            waiting.cancel()
            #expect(await waiting.value.isEmpty)
        }
    }

    #if os(Linux)
    /// In a process of its own, where nothing else opens descriptors.
    @Test func aStopLeavesNoDescriptorAndNoThread() async {
        await #expect(processExitsWith: .success) {
            try await Leftovers.play()
            let descriptors = Leftovers.descriptors()
            let threads = Leftovers.threads()
            for _ in 1...30 { try await Leftovers.play() }
            try #require(Leftovers.descriptors() == descriptors)
            // The threads of Swift and Dispatch come and go; thirty of servers would show.
            try #require(Leftovers.threads() < threads + 15)
        }
    }

    @Test func aServerThatIsLetGoOfStopsByItself() async {
        await #expect(processExitsWith: .success) {
            try await Leftovers.play()
            let descriptors = Leftovers.descriptors()
            var server: LoopbackServer? = try await LoopbackServer.start { _ in }
            let client = try await RawClient(server?.port ?? 0)
            await server?.waitForConnections(1)
            server = nil
            #expect(try await client.readToEnd().ending == .closed)
            while Leftovers.descriptors() != descriptors + 1 { await Task.yield() }
        }
    }

    @Test func aSecondStopTouchesNoDescriptorThatIsNotItsOwn() async {
        await #expect(processExitsWith: .success) {
            let server = try await LoopbackServer.start { _ in }
            await server.stop()
            // These get the numbers that the server has given back.
            var ends: [[Int32]] = []
            for _ in 1...4 {
                var pair: [Int32] = [-1, -1]
                try #require(pipe(&pair) == 0)
                ends.append(pair)
            }
            await server.stop()
            for pair in ends {
                var entry = pollfd(fd: pair[0], events: Int16(POLLIN), revents: 0)
                try #require(poll(&entry, 1, 0) == 0)
            }
        }
    }
    #endif
}

#if os(Linux)
/// What a process holds, as Linux tells.
enum Leftovers {
    /// A server with all that can be going on when it stops.
    static func play() async throws {
        let server = try await LoopbackServer.start { routes in
            routes.get("/") { _ in .text("hello") }
            routes.get("/stall") { _ in .stalled }
            routes.get("/delay") { _ in .text("late").delayed(by: .seconds(3_600)) }
            routes.get("/huge") { _ in .generated(bytes: 1 << 40) }
        }
        let clients = try await withThrowingTaskGroup { group in
            for path in ["/", "/stall", "/delay", "/huge", nil] {
                group.addTask {
                    let client = try await RawClient(server.port)
                    if let path { try await client.send("GET \(path) HTTP/1.1\r\nHost: h\r\n\r\n") }
                    return client
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        await server.waitForRequests(4)
        await server.waitForConnections(5)
        await server.stop()
        withExtendedLifetime(clients) {}
    }

    /// The sockets and pipes that are open. What Swift and Dispatch open for themselves, when they first need it, is neither.
    static func descriptors() -> Int {
        names(in: "/proc/self/fd").count { descriptor in
            var target = [CChar](repeating: 0, count: 64)
            let count = readlink("/proc/self/fd/\(descriptor)", &target, target.count)
            let kind = String(decoding: target.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
            return kind.hasPrefix("socket:") || kind.hasPrefix("pipe:")
        }
    }

    static func threads() -> Int { names(in: "/proc/self/task").count }

    private static func names(in directory: String) -> [String] {
        guard let stream = opendir(directory) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }
}
#endif
