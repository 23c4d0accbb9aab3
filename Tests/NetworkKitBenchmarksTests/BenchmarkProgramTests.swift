import ExampleTestSupport
import PlatformBase
import Testing

/// The benchmark program as it was built, asked for what is quick: that it works, not how fast anything is.
@Suite(.enabled(if: BuiltProgram("NetworkKitBenchmarks") != nil, "the program isn't beside the tests"))
struct BenchmarkProgramTests {
    private func run(_ arguments: String...) async throws -> BuiltProgram.Ending {
        try await #require(BuiltProgram("NetworkKitBenchmarks")).throughPipe(arguments)
    }

    /// What `--json` prints, read strictly.
    private struct Report: Decodable {
        let scenarios: [Row]

        struct Row: Decodable {
            let name: String
            let rate: Double
            let unit: String
            let p50_us: Double
            let p99_us: Double
            let cpu_us: Double
            let peak_mb: Double
            let ratios: [String: Ratio]
        }

        struct Ratio: Decodable {
            let median: Double
            let min: Double
            let max: Double
        }
    }

    private func report(_ arguments: String...) async throws -> Report {
        let program = try #require(BuiltProgram("NetworkKitBenchmarks"))
        let run = try await program.throughPipe(["--quick", "--json"] + arguments)
        #expect(run.status == 0, "\(run.errors)")
        return try JSONDecoder().decode(Report.self, from: Data(run.output.utf8))
    }

    @Test func `the interceptors' cost comes as JSON with all its keys`() async throws {
        let report = try await report("--only", "stack-6")
        let row = try #require(report.scenarios.first)
        #expect(report.scenarios.count == 1)
        #expect(row.name == "stack-6")
        #expect(row.unit == "req/s")
        #expect(row.rate > 0)
        #expect(row.peak_mb > 0)
        let ratio = try #require(row.ratios["no-interceptors"])
        #expect(ratio.min <= ratio.median && ratio.median <= ratio.max)
    }

    @Test func `streams are measured by bytes and by lines, without a server`() async throws {
        let rows = try await report("--only", "split-lines", "--only", "lines").scenarios
        #expect(rows.map(\.name) == ["split-lines", "lines"])
        #expect(rows.map(\.unit) == ["MB/s", "lines/s"])
        #expect(rows.allSatisfy { $0.rate > 0 && $0.ratios.isEmpty })
    }

    @Test func `NetworkKit stands beside plain libcurl, on a server of the program's own`() async throws {
        let row = try #require(try await report("--only", "sequential-1k").scenarios.first)
        #expect(row.rate > 0)
        #expect(row.p50_us > 0 && row.p50_us <= row.p99_us)
        #expect(row.cpu_us > 0)
        #if os(Linux)
        #expect((row.ratios["c-libcurl"]?.median ?? 0) > 0)
        #endif
    }

    @Test func `the table names scenarios, clients and floors`() async throws {
        let run = try await run("--quick", "--only", "stack-6", "--only", "stub")
        #expect(run.status == 0)
        #expect(run.output.contains("no-interceptors"))
        #expect(run.output.contains("for six interceptors, at most 2"))
        #expect(run.output.contains("stub"))
    }

    @Test(arguments: [["--only", "no-such"], ["--rounds", "0"], ["--rounds"], ["--faster"]])
    func `what it doesn't understand ends it before it starts`(arguments: [String]) async throws {
        let run = try await #require(BuiltProgram("NetworkKitBenchmarks")).throughPipe(arguments)
        #expect(run.status == 2)
        #expect(run.output.isEmpty)
        #expect(run.errors.contains("usage: NetworkKitBenchmarks"))
    }

    @Test func `help says what there is to measure`() async throws {
        let run = try await run("--help")
        #expect(run.status == 0)
        #expect(run.output.contains("h2-concurrent-64-1k"))
    }
}
