import ExampleSupport
import ExampleTestSupport
import NetworkKit
import NetworkKitTesting
import PlatformBase
import Testing

@testable import MoviesExample

/// What `--poster` downloads.
@Suite struct MoviesPosterTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "movies-\(UUID().uuidString)")

    private func withFolder(_ body: (URL) async throws -> Void) async throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await body(folder.appending(path: "poster.bmp"))
    }

    @Test func `the sample's poster is an image, told of in one line`() async throws {
        try await withFolder { file in
            let run = await movies(["--poster", "9001", file.path])
            #expect(run.status == .success)
            #expect(run.lines[0].hasPrefix("The poster of “") && run.lines[0].hasSuffix("is in \(file.path), 1.1 MB."))
            // No terminal, no bar.
            #expect(!run.errors.contains("█") && !run.errors.contains("\r"))
            let bytes = try Data(contentsOf: file)
            #expect(bytes.count == 54 + 1500 * 750 && bytes.prefix(2) == Data("BM".utf8))
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["poster.bmp"])
            let again = await movies(["--poster", "9001", file.path])
            #expect(again.status == .failure && again.errors.contains("There is a file “\(file.path)” already."))
        }
    }

    @Test func `on a terminal a bar comes and goes`() async throws {
        try await withFolder { file in
            let surroundings = Surroundings(
                arguments: ["--poster", "9001", file.path], terminal: Terminal(width: 80, showsProgress: true),
                console: Console(isCaptured: true, showsProgress: true))
            let status = await RunningProgram.status(in: surroundings) { () async throws(Failure) in
                try await MoviesProgram(surroundings).run()
            }
            let errors = surroundings.console.captured.errors
            #expect(status == .success)
            #expect(errors.contains("100 %  1.1 MB of 1.1 MB") && errors.hasSuffix("\r\u{1B}[K"))
        }
    }

    @Test func `the image's server is asked without the token, in the size that is wanted`() async throws {
        try await withFolder { file in
            let images = try await LoopbackServer.start { routes in routes.any("*") { _ in .text("image") } }
            try await LoopbackServer.with { routes in
                routes.get("/3/configuration") { _ in
                    .json(
                        #"{"images": {"secure_base_url": "\#(images.url("/t/p/").absoluteString)", "poster_sizes": ["w500"], "backdrop_sizes": []}}"#
                    )
                }
                routes.any("*") { _ in .json(Twins.details) }
            } perform: { server in
                let run = await movies(at: server, "--poster", "1", file.path, "--json")
                #expect(run.status == .success && run.output.contains(#""bytes" : 5"#))
            }
            #expect(images.requests.map(\.target).allSatisfy { $0.hasPrefix("/t/p/w500/") } && images.requestCount == 1)
            #expect(images.requests.allSatisfy { !$0.headers.contains(.authorization) })
            await images.stop()
        }
    }

    @Test(arguments: [
        (["--poster", "9001"], "--poster needs a file: --poster ID FILE"),
        (["--poster", "9001", "a", "b"], "There is nothing to do with “b”."),
        (["--poster", "x", "a"], "--poster takes a whole number from 1 to "),
        (["--poster", "1", "a", "--details", "2"], "--poster goes with neither"),
    ])
    func `a bad command line is told in one line`(arguments: [String], words: String) async {
        let run = await movies(arguments)
        #expect(run.status == .usage && run.errorLines.count == 1 && run.errors.contains(words))
    }

    @Test func `a folder that isn't there is told of`() async {
        let run = await movies(["--poster", "9001", "/nonexistent-folder/poster.bmp"])
        #expect(run.status == .failure && run.errors.contains("/nonexistent-folder"))
    }
}
