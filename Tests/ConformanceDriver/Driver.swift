import NetworkKit
import PlatformBase

/// The requests under way, and the stacks that they go through.
final class Driver: Sendable {
    private struct State {
        var tasks: [Int: Task<Void, Never>] = [:]
        var sessions: [Stack: HTTPSession] = [:]
    }

    /// What a stack is made of. Each is made once, so that its connections are kept.
    private struct Stack: Hashable {
        let isCached: Bool
        let hasCookies: Bool
        let proxy: String?
        let authorityFile: String?
    }

    private let cache = HTTPCache()
    private let jar = CookieJar()
    private let state = Lock(State())

    /// Does what a line says.
    func take(_ text: String, in group: inout TaskGroup<Void>) async {
        let bytes = Data(text.utf8)
        let line: DriverLine
        do {
            line = try JSONDecoder().decode(DriverLine.self, from: bytes)
        } catch {
            let id = try? JSONDecoder().decode(DriverLine.ID.self, from: bytes).id
            return DriverAnswer(id: id, error: "line", message: "this is no request: \(error)").write()
        }
        if let other = line.cancel {
            let task = state.withLock { $0.tasks[other] }
            task?.cancel()
            return DriverAnswer(id: line.id, cancelled: task != nil).write()
        }
        guard let task = begin(line) else {
            return DriverAnswer(id: line.id, error: "line", message: "a request with this id is under way").write()
        }
        if line.wait == true { await task.value } else { group.addTask { await task.value } }
    }

    private func begin(_ line: DriverLine) -> Task<Void, Never>? {
        state.withLock { state in
            guard state.tasks[line.id] == nil else { return nil }
            let task = Task {
                let answer = await self.answer(line)
                // First the id, so that whoever has read the answer may use it again.
                self.state.withLock { $0.tasks[line.id] = nil }
                answer.write()
            }
            state.tasks[line.id] = task
            return task
        }
    }

    private func answer(_ line: DriverLine) async -> DriverAnswer {
        do {
            let response = try await NetworkClient(session: session(for: line)).response(for: DriverCall(line)).get()
            return DriverAnswer(id: line.id, response, body: try await response.body.collect(upTo: line.max_body ?? .max))
        } catch {
            return DriverAnswer(id: line.id, error)
        }
    }

    private func session(for line: DriverLine) throws -> HTTPSession {
        let kind = line.session ?? "cached"
        guard ["cached", "plain"].contains(kind) else { throw DriverFault("there is no session \(kind)") }
        let stack = Stack(isCached: kind == "cached", hasCookies: line.cookies ?? false, proxy: line.proxy, authorityFile: line.ca)
        return state.withLock { state in
            if let session = state.sessions[stack] { return session }
            let transport = CurlTransport(
                .init(tls: TLSOptions(authorityFile: stack.authorityFile), proxy: stack.proxy.map { .url($0) } ?? .none))
            var interceptors: [any Interceptor] = [.redirects()]
            if stack.hasCookies { interceptors.append(.cookies(jar)) }
            if stack.isCached { interceptors.append(.cache(cache)) }
            let session = HTTPSession(transport: transport, interceptors: interceptors, headers: [:])
            state.sessions[stack] = session
            return session
        }
    }
}
