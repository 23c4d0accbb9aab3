import PlatformBase

/// Measures NetworkKit beside a plain C client on libcurl, and beside URLSession where the package is built with that trait.
@main
struct BenchmarkProgram {
    static func main() async {
        let options: Options
        do {
            options = try Options(CommandLine.arguments.dropFirst())
        } catch {
            Output.note("\(error)\n\n\(Options.usage)")
            exit(2)
        }
        do {
            switch options.mode {
            case .help: print(Options.usage)
            case .serve: try await LoopbackChild.serve()
            case .peak(let scenario, let server): print(try await ScenarioRun.ownPeak(scenario, server))
            case .measure: try await measure(options)
            }
        } catch {
            Output.note("\(error)")
            exit(1)
        }
    }

    private static func measure(_ options: Options) async throws {
        #if DEBUG
        Output.note("This is a debug build, whose figures mean nothing: build with -c release.")
        #endif
        raiseDescriptorLimit()
        // The server is on this machine, whatever proxy the environment names; child processes are told too.
        setenv("no_proxy", "*", 1)
        let running = try RunningServer.start(for: options)
        do {
            try Ending.prepare { running?.stop() }
            let results = await measure(options, running?.server)
            if options.isJSON {
                print(try JSONReport(results.measurements).text())
            } else if results.measurements.isEmpty {
                print("No figures.")
            } else {
                print(TableReport.text(results.measurements, server: running?.name, options))
            }
            running?.stop()
            if !results.faults.isEmpty { exit(1) }
        } catch {
            running?.stop()
            throw error
        }
    }

    /// All scenarios one after another. What one lacks or breaks keeps none of the others from their figures.
    private static func measure(_ options: Options, _ server: Server?) async -> (measurements: [Measurement], faults: [String]) {
        var measurements: [Measurement] = []
        var faults: [String] = []
        for scenario in options.scenarios {
            Output.progress(scenario.name)
            do {
                let run = try ScenarioRun(scenario, server ?? Server(port: 0), options)
                measurements.append(try await run.measure())
            } catch let skipped as Skipped {
                Output.note("\(scenario.name): left out: \(skipped)")
            } catch {
                Output.note("\(scenario.name): failed: \(error)")
                faults.append(scenario.name)
            }
        }
        Output.progress("")
        return (measurements, faults)
    }

    /// A thousand connections of each client need more descriptors than a shell gives.
    private static func raiseDescriptorLimit() {
        var limit = rlimit()
        #if canImport(Glibc)
        let files = Int32(RLIMIT_NOFILE.rawValue)
        #else
        let files = RLIMIT_NOFILE
        #endif
        guard getrlimit(files, &limit) == 0 else { return }
        limit.rlim_cur = min(limit.rlim_max, 16_384)
        setrlimit(files, &limit)
    }
}
