import Foundation
import NetworkKit
import NetworkKitTesting
import Testing

/// Whether somebody else's reader can open what a cassette writes: haralyzer, of the Python Package Index, where `.ci/run prepare`
/// could install it.
@Suite("Cassettes: another program's reader")
struct ArchiveReaderTests {
    private static let python = URL(filePath: #filePath).appending(path: "../../../../.build/python/bin/python3").standardized

    @Test(
        "An archive is opened, and every exchange found as it was",
        .enabled(if: FileManager.default.isExecutableFile(atPath: python.path), "haralyzer isn't installed: .ci/run prepare"))
    func opened() async throws {
        let folder = ScratchFolder()
        let server = StubTransport {
            $0.get("film/:id", .json(Film(id: 7)), .status(404))
            $0.post("ask", .data(Data([0xFF, 0x00]), contentType: "image/x"))
        }
        let cassette = try Cassette(path: folder.path("a.har"), transport: server)
        for _ in 0..<2 { _ = await cassette.client().send(GetFilm(id: 7, language: "de")) }
        _ = await cassette.client().data(for: Ask(method: HTTPMethod.post, headers: ["A": "1"], body: .form(["a": "x y"])))
        let script = """
            import sys
            from haralyzer import HarParser
            har = HarParser.from_file(sys.argv[1])
            print(har.creator["name"], har.version)
            for entry in har.pages[0].entries:
                print(entry.request.method, entry.request.url, entry.response.status, entry.response.mimeType, entry.startTime.year > 2000)
            """
        let (status, output) = try run(Self.python, ["-c", script, cassette.path])
        #expect(status == 0, "\(output)")
        let lines = output.split(separator: "\n").map(String.init)
        #expect(lines.first == "NetworkKit 1.2")
        #expect(
            lines.dropFirst().map { $0 } == [
                "GET https://films.test/3/film/7?language=de 200 application/json True",
                "GET https://films.test/3/film/7?language=de 404  True", "POST https://films.test/3/ask 200 image/x True",
            ])
    }

    private func run(_ program: URL, _ arguments: [String]) throws -> (status: Int32, output: String) {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = program
        process.arguments = arguments
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: data, as: UTF8.self))
    }
}
