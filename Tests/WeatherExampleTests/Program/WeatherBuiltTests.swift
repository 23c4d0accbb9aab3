import ExampleTestSupport
import NetworkKitTesting
import PlatformBase
import Testing

/// The program as a user has it: a process, a terminal, a pipe.
@Suite(.enabled(if: BuiltProgram("WeatherExample") != nil, "the program isn't beside the tests"))
struct WeatherBuiltTests {
    private func program() throws -> BuiltProgram { try #require(BuiltProgram("WeatherExample")) }

    @Test func `through a pipe it prints plain text, and notices on standard error`() async throws {
        let run = try await program().throughPipe(["nairobi"])
        #expect(run.status == 0)
        #expect(run.output.hasPrefix("Nairobi, Kenya · "))
        #expect(!run.output.contains("\u{1B}"))
        #expect(run.errors.hasPrefix("Sample data"))
        #expect(!run.errors.contains("\u{1B}"))
    }

    @Test(arguments: [80, 40])
    func `under a terminal it keeps to its width, and has colours`(columns: Int) async throws {
        let run = try await program().underTerminal(["nairobi", "tokyo"], columns: columns)
        #expect(run.status == 0)
        #expect(run.output.contains("\u{1B}[1mNairobi, Kenya\u{1B}[0m"))
        let plain = run.output.replacing(#/\u{1B}\[[0-9;]*[mK]/#, with: "").replacing("\r", with: "\n")
        for line in plain.split(separator: "\n") where !line.contains("://") { #expect(line.count <= columns, "\(line)") }
    }

    @Test(arguments: [80, 40])
    func `on a screen no line is broken`(columns: Int) async throws {
        guard let screen = try await program().onScreen(["nairobi"], columns: columns) else { return }
        let start = try #require(screen.firstIndex { $0.hasPrefix("Nairobi, Kenya") })
        let days = try #require(screen.firstIndex(of: "Days"))
        #expect(days > start)
        // A broken line would leave a piece that begins with no day.
        for line in screen[(days + 1)...].prefix(8) { #expect(line.contains("━") && line.contains("°"), "\(line)") }
        #expect(screen[days + 9].isEmpty)
    }

    @Test func `NO_COLOR takes the colours away`() async throws {
        let run = try await program().underTerminal(["nairobi"], columns: 80, environment: ["NO_COLOR": "1"])
        #expect(run.output.contains("Nairobi, Kenya · "))
        #expect(!run.output.contains("\u{1B}[1m") && !run.output.contains("\u{1B}[33m"))
    }

    @Test func `a bad option ends with its documented status`() async throws {
        let run = try await program().throughPipe(["--dyas", "3"])
        #expect(run.status == 2)
        #expect(run.output.isEmpty)
        #expect(run.errors == "Error: There is no option --dyas. Did you mean --days?\n")
        #expect(try await program().throughPipe(["Atlantis"]).status == 3)
    }

    @Test func `Ctrl-C ends it by the signal and leaves the terminal as it was`() async throws {
        let server = try await LoopbackServer.start { routes in routes.any("*") { _ in .stalled } }
        let program = try program()
        let environment = ["CLEAR_SKY_API_KEY": "k", "CLEAR_SKY_BASE_URL": server.url("/clearsky").absoluteString]
        let run = try await program.underTerminal(columns: 80, environment: environment, interruptAt: "Asking Clear Sky")
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
