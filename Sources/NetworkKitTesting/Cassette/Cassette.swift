public import NetworkKit
internal import PlatformBase

/// A transport that records what another one brings, and plays it from a file from then on: a test against a real server that needs the
/// server once.
///
/// ```swift
/// let cassette = try Cassette("top-rated")     // Cassettes/top-rated.har beside the test's source
/// let service = MoviesService(session: HTTPSession(transport: cassette))
/// ```
///
/// The file is an HTTP archive (HAR 1.2), which browsers and proxies open. It stands where the transport stands, so that each hop of a
/// redirect and each attempt is an exchange of its own, as it was sent. Each recording is played once, in the order of recording.
///
/// Secrets are masked before anything touches the disk: those that the call knows of, those of the cookies that it is given, and what
/// ``CassetteMasking`` names. A masked request is found all the same, and masked JSON is JSON. Request bodies that are streams are read as a
/// whole first. A body with a `Content-Encoding` is kept, and compared, as it was before it was coded with gzip or deflate; one that is coded
/// in another way is neither kept nor compared.
///
/// A file is one cassette's while it records: two that record to one path at once write over each other. The trait `.cassette` has tests
/// share one.
///
/// An exchange that gets no answer at all isn't recorded. Trailers and interim answers are kept in members of the library's own,
/// `_trailers` and `_interim`, since the format has no place for them.
public final class Cassette: Transport {
    /// The file.
    public let path: String
    /// When it plays and when it records, as the environment may have it: see ``Mode/variable``.
    public var mode: Mode { tape.mode }
    private let tape: Tape
    private let player: TapePlayer
    private let transport: any Transport
    private let options: Options

    /// A cassette in the folder `Cassettes` beside the source that makes it.
    ///
    /// - Parameters:
    ///   - name: the name of its file, without `.har`.
    ///   - mode: when it plays and when it records.
    ///   - options: how recordings are found, masked and played.
    ///   - transport: what brings the answers that are recorded.
    ///   - file: the source.
    /// - Throws: ``RequestError/file(_:)`` or ``RequestError/decode(_:)`` when there is no recording to play, or what is there is no
    ///   archive; it names the file and says what to do.
    public convenience init(
        _ name: String, mode: Mode = .once, options: Options = .init(), transport: any Transport = .default,
        beside file: String = #filePath
    ) throws(RequestError) {
        try self.init(path: Self.path(name, beside: file), mode: mode, options: options, transport: transport)
    }

    /// A cassette at a path. It throws as the form with a name does.
    public convenience init(
        path: String, mode: Mode = .once, options: Options = .init(), transport: any Transport = .default
    ) throws(RequestError) {
        self.init(tape: try Tape(path: path, mode: mode, masking: options.masking), options: options, transport: transport)
    }

    /// A cassette on a tape that others may use too.
    package init(tape: Tape, options: Options, transport: any Transport) {
        path = tape.path
        self.tape = tape
        self.transport = transport
        self.options = options
        player = TapePlayer(entries: tape.loaded, matching: options.matching, repeats: options.repeats)
    }

    /// Where a cassette of a name is.
    package static func path(_ name: String, beside file: String) -> String {
        (file.lastIndex(of: "/").map { file[...$0] } ?? "") + "Cassettes/\(name).har"
    }

    /// Plays the recording of a request, or sends the request on and records what comes.
    ///
    /// - Throws: ``RequestError/unknown(_:)`` for a request without a recording where none may be made; the message names the nearest
    ///   recordings and what differs. ``RequestError/file(_:)`` when the file can't be written.
    public func send(_ request: HTTPRequest) async throws(RequestError) -> HTTPResponse {
        try tape.check()
        var request = try request.checked()
        let sent = try await Self.read(&request)
        let body = PlainContent.of(sent, fields: request.headers)
        let mask = try tape.mask(knowing: request, body: body ?? Data(), rules: options.masking)
        let asked = mask.request(request, body: body)
        if tape.plays {
            // Who doesn't wait for the answer any more must not use up its recording.
            if Task.isCancelled { throw .cancelled(.init(reason: "the task was cancelled")) }
            if let taken = player.take(asked) { return try await play(taken, to: request, sent: sent.count) }
        }
        guard tape.records else { throw player.mismatch(asked, path: path, mode: mode) }
        let exchange = RecordedExchange(asked, request, tape)
        return try await exchange.record(try await transport.send(request))
    }

    private func play(_ taken: TapePlayer.Taken, to request: HTTPRequest, sent: Int) async throws(RequestError) -> HTTPResponse {
        do {
            return try await StubDelivery(request, sent: sent, handOver: nil)
                .response(TapePlayer.answer(taken, of: path, isPaced: options.isPaced))
        } catch {
            if error.isCancellation { player.giveBack(taken) }
            throw error
        }
    }

    /// The body as a whole; what goes on has it as bytes, since a stream can be read once.
    private static func read(_ request: inout HTTPRequest) async throws(RequestError) -> Data {
        guard let body = request.body else { return Data() }
        var data = Data()
        do {
            for try await chunk in body.chunks() { data.append(chunk) }
        } catch {
            throw RequestError(thrown: error)
        }
        request.body = body.read(as: data)
        return data
    }
}
