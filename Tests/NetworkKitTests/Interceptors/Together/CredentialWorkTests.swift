import NetworkKitTesting
import PlatformBase
import Testing

@testable import NetworkKit

/// The work that gets a credential sends the very request that waits for the credential.
@Suite("What gets a credential sends through the session that waits for it", .timeLimit(.minutes(1)))
struct CredentialWorkTests {
    enum Kind: CaseIterable { case provided, refreshed }

    private let clock = TestClock()
    /// The client, once it is there.
    private final class Later: Sendable {
        private let client = Lock<NetworkClient?>(nil)
        func set(_ new: NetworkClient?) { client.withLock { $0 = new } }
        func ask() async throws -> String {
            guard let client = client.withLock(\.self) else { return "nobody" }
            return String(decoding: try await client.data(for: SampleEndpoint(path: "it")).get(), as: UTF8.self)
        }
    }

    /// Tells each who it is to the server.
    private func stub(_ control: String) -> StubTransport {
        StubTransport {
            $0.fallback { request in
                let answer = request.headers[.authorization] ?? "nobody"
                return .text(answer, headers: ["Cache-Control": "\(control)", "ETag": "\"v\""])
            }
        }
    }

    private func credential(_ kind: Kind, _ asked: Recorder<String>, _ later: Later) -> Credential {
        switch kind {
        case .provided:
            .bearer {
                asked.add(try await later.ask())
                return "t"
            }
        case .refreshed:
            .refreshing(AccessToken("t", expires: clock.date - 1)) { [clock] _ in
                asked.add(try await later.ask())
                return AccessToken("t", expires: clock.date + 5)
            }
        }
    }

    @Test("It doesn't join the exchange that waits for it", arguments: Kind.allCases)
    func coalescing(kind: Kind) async throws {
        let (stub, asked, later) = (stub("no-store"), Recorder<String>(), Later())
        let client = NetworkClient(
            session: HTTPSession(
                transport: stub, interceptors: [.coalescing(), .authentication(credential(kind, asked, later))], clock: clock))
        later.set(client)
        #expect(try await client.data(for: SampleEndpoint(path: "it")).get() == Data("Bearer t".utf8))
        #expect(asked.values == ["nobody"] && stub.requests.map { $0.headers[.authorization] } == [nil, "Bearer t"])
        later.set(nil)
    }

    @Test("It doesn't wait for what is stored to be validated by the request that waits for it", arguments: Kind.allCases, [true, false])
    func validation(kind: Kind, isShared: Bool) async throws {
        let (stub, asked, later) = (stub("public, max-age=10"), Recorder<String>(), Later())
        let cache = HTTPCache(isShared: isShared)
        let client = NetworkClient(
            session: HTTPSession(
                transport: stub, interceptors: [.cache(cache), .authentication(credential(kind, asked, later))], clock: clock))
        #expect(try await client.data(for: SampleEndpoint(path: "it")).get() == Data("Bearer t".utf8))
        clock.advance(by: .seconds(20))
        later.set(client)
        let text = String(decoding: try await client.data(for: SampleEndpoint(path: "it")).get(), as: UTF8.self)
        #expect(text == "Bearer t" && asked.values == ["nobody", "nobody"])
        later.set(nil)
    }

    @Test("What it gets without the credential isn't stored for those who have it", arguments: Kind.allCases)
    func stored(kind: Kind) async throws {
        let (stub, asked, later) = (stub("max-age=10"), Recorder<String>(), Later())
        let client = NetworkClient(
            session: HTTPSession(
                transport: stub, interceptors: [.cache(HTTPCache()), .authentication(credential(kind, asked, later))], clock: clock))
        later.set(client)
        for _ in 0..<2 { #expect(try await client.data(for: SampleEndpoint(path: "it")).get() == Data("Bearer t".utf8)) }
        #expect(asked.values == ["nobody"] && stub.requests.count == 2)
        later.set(nil)
    }
}
