import Foundation
import NetworkKit
import NetworkKitTesting
import NetworkKitTestingTraits
import PlatformBase
import Testing

@Suite("Traits: a stub of one's own", .stubbed { $0.get("film/:id", .status(429), .json(Film(id: 7))) })
struct StubTraitTests {
    @Test("Each case of a test has its own, counted from the beginning", arguments: 0..<20)
    func perCase(_ index: Int) async throws {
        let client = NetworkClient(session: .ofTest())
        #expect(await client.send(GetFilm(id: index)).error?.statusCode == 429)
        #expect(try await client.send(GetFilm(id: index)).get() == Film(id: 7))
        #expect(StubTransport.ofTest.requests.count == 2)
    }

    @Test("A test's own trait stands in the place of its suite's, and its clock is the session's", .stubbed(.stalled))
    func nested() async {
        let client = NetworkClient(session: .ofTest(defaults: .init(deadline: .seconds(5))))
        async let outcome = client.send(GetFilm(id: 1))
        await TestClock.ofTest.advance(through: .seconds(5))
        #expect(await outcome.error?.limit == .deadline)
    }
}

@Suite("Traits: none")
struct NoTraitTests {
    @Test("Without a trait no request goes anywhere, and the message says what to do")
    func none() async {
        let error = await NetworkClient(session: .ofTest()).send(GetFilm(id: 1)).error
        #expect(error?.description.contains("give it the trait .stubbed") == true)
    }
}

@Suite("Traits: a cassette")
struct CassetteTraitTests {
    @Test("Each case plays the recording from its beginning", .cassette("film"), arguments: 0..<10)
    func perCase(_ index: Int) async throws {
        let client = NetworkClient(session: .ofTest())
        #expect(try await client.send(GetFilm(id: 7)).get().title == "Metropolis")
        #expect(await client.send(GetFilm(id: 7)).error != nil)
    }

    private static let folder: ScratchFolder = {
        // It is the process's, and nobody lets go of it.
        atexit { try? FileManager.default.removeItem(at: CassetteTraitTests.folder.url) }
        return ScratchFolder()
    }()
    private static let server = StubTransport { $0.get("film/:id") { .json(Film(id: Int($0.parameters["id"] ?? "") ?? 0)) } }

    @Test(
        "Cases that record at once share the file",
        .cassette("shared", transport: server, beside: folder.path("Source.swift")), arguments: 0..<20)
    func recording(_ index: Int) async throws {
        #expect(try await NetworkClient(session: .ofTest()).send(GetFilm(id: index)).get().id == index)
        let file = Self.folder.url.appending(path: "Cassettes/shared.har")
        let urls = try HAR(json: Data(contentsOf: file)).entries.map(\.request.url)
        #expect(urls.contains("https://films.test/3/film/\(index)"))
    }

    private static func masked(_ item: String) -> CassetteTrait {
        .cassette(
            "masked", options: .init(masking: .init(queryItems: [item])), transport: StubTransport(.text("x")),
            beside: folder.path("Source.swift"))
    }

    private func askMasked() async throws {
        _ = try await NetworkClient(session: .ofTest()).data(for: Ask(query: ["first": "aaaaaaaa", "second": "bbbbbbbb"])).get()
        let file = Self.folder.url.appending(path: "Cassettes/masked.har")
        Self.maskedURLs.withLock { urls in
            urls = (try? HAR(json: Data(contentsOf: file)).entries.map(\.request.url)) ?? []
        }
    }

    private static let maskedURLs = Lock<[String]>([])

    @Test("What each of those that share a file wants masked is masked in all of it")
    func sharedMasking() async throws {
        for item in ["first", "second"] {
            guard let test = Test.current else { continue }
            try await Self.masked(item).provideScope(for: test, testCase: nil) { try await askMasked() }
        }
        #expect(
            Self.maskedURLs.withLock(\.self) == Array(repeating: "https://films.test/3/ask?first=***&second=***", count: 2))
    }
}
