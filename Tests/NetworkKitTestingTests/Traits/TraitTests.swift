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

    @Test("Nor is there a clock, and asking for it says what to do")
    func noClock() {
        withKnownIssue {
            _ = TestClock.ofTest
        } matching: {
            $0.comments.contains { $0.rawValue.contains("give it the trait .stubbed") }
        }
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

    @Test("It has no clock that a test could turn, and asking for it says what to do", .cassette("film"))
    func noClock() {
        withKnownIssue {
            _ = TestClock.ofTest
        } matching: {
            $0.comments.contains { $0.rawValue.contains("a session on a Cassette") }
        }
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

    private func tape(_ name: String, _ mode: Cassette.Mode, _ perform: @Sendable () async throws -> Void = {}) async throws {
        guard let test = Test.current else { return }
        let server = StubTransport { $0.get("film/:id", .json(Film(id: 1))) }
        let trait = CassetteTrait.cassette(name, mode: mode, transport: server, beside: Self.folder.path("Source.swift"))
        try await trait.provideScope(for: test, testCase: nil, performing: perform)
    }

    @Test("One file is one tape, however its path is written; two modes of it that do not the same are an error")
    func modes() async throws {
        try await tape("modes", .all) { _ = try await NetworkClient(session: .ofTest()).send(GetFilm(id: 1)).get() }
        try await tape("../Cassettes/modes", .all) { _ = try await NetworkClient(session: .ofTest()).send(GetFilm(id: 2)).get() }
        let file = Self.folder.url.appending(path: "Cassettes/modes.har")
        #expect(try HAR(json: Data(contentsOf: file)).entries.map(\.request.url.last) == ["1", "2"])
        for mode in [Cassette.Mode.new, .none] {
            await #expect { try await tape("modes", mode) } throws: {
                "\($0)".contains("with the mode .\(mode.rawValue), and another test of this run has it with .all")
            }
        }
        try await tape("same", .once) { _ = try await NetworkClient(session: .ofTest()).send(GetFilm(id: 1)).get() }
        // It has no file to play, so the default records all of it too.
        try await tape("same", .all)
        await #expect(throws: RequestError.self) { try await tape("same", .none) }
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
