public import NetworkKit
public import NetworkKitTesting
internal import PlatformBase
public import Testing

/// Gives a test a cassette: see ``Testing/Trait/cassette(_:mode:options:transport:beside:)``.
public struct CassetteTrait: TestTrait, SuiteTrait, TestScoping {
    let path: String
    let mode: Cassette.Mode
    let options: Cassette.Options
    let transport: any Transport

    /// A suite's trait is that of each of its tests.
    public var isRecursive: Bool { true }

    /// Runs a test, or one case of it, with a cassette that begins at its beginning.
    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        let tape = try SharedTapes.tape(path, mode, options.masking)
        let cassette = Cassette(tape: tape, options: options, transport: transport)
        try await TestNetwork.$current.withValue(TestNetwork(transport: cassette, stub: StubTransport(), clock: nil)) {
            try await function()
        }
    }
}

extension Trait where Self == CassetteTrait {
    /// Plays a recording to each test, and to each case of a test with arguments, from its beginning; or makes it.
    ///
    /// ```swift
    /// @Test(.cassette("top-rated"))
    /// func firstPage() async throws {
    ///     let service = MoviesService(session: .ofTest())
    ///     #expect(try await service.topRated(page: 1).get().results.count == 20)
    /// }
    /// ```
    ///
    /// Tests that run at once may name the same cassette: while it is recorded, what they ask goes into one file. They must give it the same
    /// mode, or at least one by which it does the same.
    ///
    /// - Parameters:
    ///   - name: the name of the file in the folder `Cassettes` beside the test's source, without `.har`.
    ///   - mode: when it plays and when it records.
    ///   - options: how recordings are found, masked and played.
    ///   - transport: what brings the answers that are recorded.
    ///   - file: the source.
    public static func cassette(
        _ name: String, mode: Cassette.Mode = .once, options: Cassette.Options = .init(), transport: any Transport = .default,
        beside file: String = #filePath
    ) -> Self {
        CassetteTrait(path: Cassette.path(name, beside: file), mode: mode, options: options, transport: transport)
    }
}

/// The tapes of a run: one a file, so that tests that record at once don't write over each other, and so that a file which this run
/// has begun to record isn't taken for one that is there to be played.
private enum SharedTapes {
    private static let tapes = Lock<[String: Tape]>([:])

    static func tape(_ path: String, _ mode: Cassette.Mode, _ masking: CassetteMasking) throws(RequestError) -> Tape {
        try tapes.withLock { tapes throws(RequestError) in
            // A file may be named in several ways.
            let file = URL(filePath: path).standardizedFileURL.path
            if let tape = tapes[file] {
                try tape.check(mode)
                tape.mask(also: masking)
                return tape
            }
            let tape = try Tape(path: path, mode: mode, masking: masking)
            tapes[file] = tape
            return tape
        }
    }
}
