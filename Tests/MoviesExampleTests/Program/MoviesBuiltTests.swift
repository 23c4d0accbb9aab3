import ExampleTestSupport
import NetworkKit
import NetworkKitTesting
import PlatformBase
import Testing

/// The program as a user has it: a process, a terminal, a pipe.
@Suite(.enabled(if: BuiltProgram("MoviesExample") != nil, "the program isn't beside the tests"))
struct MoviesBuiltTests {
    private func program() throws -> BuiltProgram { try #require(BuiltProgram("MoviesExample")) }

    @Test func `through a pipe it prints plain text, and notices on standard error`() async throws {
        let run = try await program().throughPipe()
        #expect(run.status == 0)
        #expect(run.output.hasPrefix("Top rated · page 1 of 2\n\n 1  The Ledger of Small Lights "))
        #expect(!run.output.contains("\u{1B}") && !run.output.contains("…"))
        #expect(run.errors.hasPrefix("Sample data"))
    }

    @Test(arguments: [80, 40], [[], ["--details", "9003"], ["--search", "the"]])
    func `under a terminal it keeps to its width, and has colours`(columns: Int, arguments: [String]) async throws {
        let run = try await program().underTerminal(arguments, columns: columns)
        #expect(run.status == 0)
        #expect(run.output.contains("\u{1B}[1m"))
        let plain = run.output.replacing(#/\u{1B}\[[0-9;]*[mK]/#, with: "").replacing("\r", with: "\n")
        expectFit(plain.split(separator: "\n").map(String.init), columns)
    }

    @Test(arguments: [80, 40])
    func `on a screen the columns stand as they were laid out, wide and combining characters too`(columns: Int) async throws {
        guard let screen = try await program().onScreen(columns: columns) else { return }
        let expected = await movies(width: columns).lines
        let start = try #require(screen.firstIndex(of: expected[0]))
        #expect(Array(screen[start...].prefix(expected.count - 1)) == Array(expected.dropLast()))
    }

    @Test func `NO_COLOR takes the colours away`() async throws {
        let run = try await program().underTerminal(columns: 80, environment: ["NO_COLOR": "1"])
        #expect(run.output.contains("Top rated") && !run.output.contains("\u{1B}[1m"))
    }

    @Test func `a wrong token, as the real server answers it, ends with its documented status`() async throws {
        let server = try await LoopbackServer.start { routes in
            routes.any("*") { _ in .json(#"{"status_code": 7, "status_message": "Invalid API key.", "success": false}"#, status: 401) }
        }
        let program = try program()
        let environment = ["TMDB_ACCESS_TOKEN": "wrong", "TMDB_BASE_URL": server.url("/3").absoluteString]
        let run = try await program.throughPipe(environment: environment)
        #expect(run.status == 5)
        #expect(run.output.isEmpty)
        #expect(run.errors == "Error: TMDB refused the key. It says: Invalid API key. Check TMDB_ACCESS_TOKEN.\n")
        await server.stop()
    }

    @Test func `Ctrl-C ends it by the signal and leaves the terminal as it was`() async throws {
        let server = try await LoopbackServer.start { routes in routes.any("*") { _ in .stalled } }
        let program = try program()
        let environment = ["TMDB_ACCESS_TOKEN": "t", "TMDB_BASE_URL": server.url("/3").absoluteString]
        let run = try await program.underTerminal(columns: 80, environment: environment, interruptAt: "Asking TMDB")
        #expect(run.isSignal && run.status == 2)
        #expect(run.output.hasSuffix("\u{1B}[0m\r\u{1B}[K"))
        await server.stop()
    }

    @Test func `it is small: neither all of Foundation nor its tables nor Testing is loaded`() async throws {
        #if os(Linux)
        let run = try await program().loadedLibraries()
        #expect(run.contains("libFoundationEssentials.so"))
        for name in ["libFoundation.so", "_FoundationICU", "libFoundationNetworking", "libTesting"] {
            #expect(!run.contains(name), "\(name)")
        }
        #endif
    }
}
