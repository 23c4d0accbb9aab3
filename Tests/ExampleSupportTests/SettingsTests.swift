import ExampleSupport
import PlatformBase
import Testing

@Suite struct SettingsTests {
    private let file = """
        # Keys
        KEY=from-file
        export QUOTED="two words # no comment"   # a comment
          SPACED  =  value   # a comment
        SINGLE='a"b'
        HASH=a#b
        EMPTY=
        NOTHING=# a comment
        TWICE=first
        TWICE=second
        no assignment
        BAD NAME=x
        =x
        CRLF=last\r
        """

    @Test func `an option comes before the environment, and that before the file`() {
        let settings = Settings(environment: ["KEY": "from-environment"], file: file)
        #expect(settings.setting("KEY", option: "from-option") == .init(value: "from-option", source: .option))
        #expect(settings.setting("KEY") == .init(value: "from-environment", source: .environment))
        #expect(Settings(environment: [:], file: file).setting("KEY") == .init(value: "from-file", source: .file))
        #expect(Settings(environment: [:]).setting("KEY") == nil)
    }

    @Test func `a variable that is set to nothing is not set`() {
        #expect(Settings(environment: ["KEY": ""], file: file).setting("KEY")?.source == .file)
        #expect(Settings(environment: [:], file: file).setting("EMPTY") == nil)
    }

    @Test(arguments: [
        ("QUOTED", "two words # no comment"), ("SPACED", "value"), ("SINGLE", "a\"b"), ("HASH", "a#b"), ("NOTHING", nil),
        ("TWICE", "second"), ("BAD NAME", nil), ("CRLF", "last"),
    ])
    func `a file is read as shells and other tools read it`(name: String, value: String?) {
        #expect(Settings(environment: [:], file: file).setting(name)?.value == value)
    }

    @Test func `the file of a directory is read, and a directory without one is fine`() throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "settings-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        #expect(Settings(environment: [:], directory: directory.path()).setting("KEY") == nil)
        try Data("KEY=1".utf8).write(to: directory.appending(path: ".env"))
        #expect(Settings(environment: [:], directory: directory.path()).setting("KEY")?.source == .file)
    }

    @Test(arguments: ["https//example.com", "ftp://example.com", "example.com", "https://", "::", "http:/x"])
    func `a base URL that is none is refused without being repeated`(text: String) {
        let settings = Settings(environment: ["BASE": text])
        #expect(
            throws: Failure(.usage, "The base URL (BASE, from the environment) is no address such as https://example.org.")
        ) { try settings.baseURL("BASE", standard: "https://example.org") }
    }

    @Test func `a base URL is taken as it is, else the standard one`() throws {
        let settings = Settings(environment: ["BASE": "http://localhost:8080/v1"])
        #expect(try settings.baseURL("BASE", standard: "https://example.org").url.absoluteString == "http://localhost:8080/v1")
        #expect(try Settings(environment: [:]).baseURL("BASE", standard: "https://example.org").source == .standard)
    }
}
