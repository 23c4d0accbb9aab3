internal import NetworkKit
internal import PlatformBase

/// Plays the recordings of a tape: each once, in order, to the requests that they are of.
final class TapePlayer: Sendable {
    /// What stands in the place of an error where the reader stopped reading.
    static let unread = "unread"

    private let entries: [HAR.Entry]
    private let comparison: TapeComparison
    private let repeats: Bool
    private let played = Lock<Set<Int>>([])

    init(entries: [HAR.Entry], matching: CassetteMatching, repeats: Bool) {
        self.entries = entries
        comparison = TapeComparison(matching: matching)
        self.repeats = repeats
    }

    /// A recording that is played now.
    struct Taken {
        let entry: HAR.Entry
        /// Its place in the file, from 0.
        let place: Int
        /// Whether it is played once more.
        let isAgain: Bool
    }

    /// The next recording of a request; `nil` when there is none, or none any more.
    func take(_ request: HAR.Request) -> Taken? {
        let fitting = entries.indices.filter { comparison.differences(of: request, from: entries[$0].request).isEmpty }
        return played.withLock { played -> Taken? in
            guard let place = fitting.first(where: { !played.contains($0) }) ?? (repeats ? fitting.last : nil) else { return nil }
            return Taken(entry: entries[place], place: place, isAgain: !played.insert(place).inserted)
        }
    }

    /// Has a recording played to somebody else: who took it went away before there was anything to have.
    func giveBack(_ taken: Taken) {
        if !taken.isAgain { played.withLock { _ = $0.remove(taken.place) } }
    }

    /// Why a request can't be played: the nearest recordings, and what differs.
    func mismatch(_ request: HAR.Request, path: String, mode: Cassette.Mode) -> RequestError {
        let judged = entries.map { ($0.request, comparison.differences(of: request, from: $0.request)) }
        let remedy = "record it with the mode .new (this is .\(mode.rawValue)), or delete the file to record all of it"
        let count = judged.count { $0.1.isEmpty }
        if count > 0 {
            return .unknown(
                .init(
                    reason: "\(path) has \(count) recording\(count == 1 ? "" : "s") of \(request.method) \(request.url), and all have been "
                        + "played; \(remedy), or let them repeat by Cassette.Options.repeats"))
        }
        let nearest = judged.sorted { Self.weight($0.1) < Self.weight($1.1) }.prefix(3)
            .map { "  \($0.method) \($0.url): \($1.map(\.text).joined(separator: "; "))" }
        let list = nearest.isEmpty ? "It is empty." : "Nearest:\n" + nearest.joined(separator: "\n")
        return .unknown(.init(reason: "\(path) has no recording of \(request.method) \(request.url); \(remedy). \(list)"))
    }

    private static func weight(_ differences: [Difference]) -> Int { differences.reduce(0) { $0 + $1.weight } }

    /// What an entry answers. An archive that a browser made tells of the coding and length on the wire, and has the body decoded.
    static func answer(_ taken: Taken, of path: String, isPaced: Bool) -> StubAnswer {
        let (entry, recorded) = (taken.entry, taken.entry.response)
        if recorded.status == 0 { return .failure(failure(recorded.error ?? "")) }
        // An answer that has no body tells of the body that another one would have (RFC 9110 §8.6).
        let isBodyless = entry.request.method == "HEAD" || recorded.status == 204 || recorded.status == 304
        if !isBodyless, let reason = reasonNot(toPlay: recorded.content) {
            let name = "entry \(taken.place + 1), \(entry.request.method) \(entry.request.url),"
            return .failure(.unknown(.init(reason: "\(path): \(name) can't be played: \(reason); record it anew")))
        }
        let data = recorded.content.data ?? Data()
        var fields = HTTPFields(recorded.headers.filter { !$0.name.hasPrefix(":") })
        fields.removeAll(.contentEncoding)
        fields.removeAll(.transferEncoding)
        if !isBodyless, let length = fields[.contentLength], length != "\(data.count)" { fields.removeAll(.contentLength) }
        let chunks = recorded.content.chunks ?? []
        var answer = StubAnswer(
            HTTPStatus(recorded.status), fields, .pieces(pieces(data, chunks), length: chunks.isEmpty ? Int64(data.count) : nil))
        if let trailers = recorded.trailers { answer.trailers = HTTPFields(trailers) }
        answer.interim = (recorded.interim ?? []).map { (HTTPStatus($0.status), HTTPFields($0.headers)) }
        if let error = recorded.error {
            answer = answer.failing(afterBodyBytes: data.count, with: failure(error))
        } else if recorded.content.isPartial == true, !isBodyless {
            answer = answer.failing(afterBodyBytes: data.count, with: partial(data.count))
        }
        guard isPaced else { return answer }
        if entry.timings.wait > 0 { answer.script.delay = pause(entry.timings.wait) }
        let times = [0] + chunks.map(\.time)
        answer.script.pauses = zip(times.dropFirst(), times).map { pause($0 - $1) }
        return answer
    }

    /// A pause of so many milliseconds: anybody may have written the number. None is longer than a month.
    private static func pause(_ milliseconds: Double) -> Duration {
        .milliseconds(milliseconds.isFinite ? min(max(0, milliseconds), 31 * 86_400_000) : 0)
    }

    /// The body in the pieces in which it came. A mask may have changed its length: then the last piece takes what is left.
    private static func pieces(_ data: Data, _ chunks: [HAR.Chunk]) -> [Data] {
        var rest = data[...]
        var pieces: [Data] = []
        for chunk in chunks.dropLast() where !rest.isEmpty {
            pieces.append(Data(rest.prefix(max(0, chunk.size))))
            rest = rest.dropFirst(max(0, chunk.size))
        }
        if !rest.isEmpty { pieces.append(Data(rest)) }
        return pieces
    }

    /// Why there is no body to be played; `nil` where there is one.
    private static func reasonNot(toPlay content: HAR.Content) -> String? {
        guard content.data == nil else { return nil }
        if content.text != nil { return "its body isn't the Base64 that it is said to be" }
        guard content.size > 0 else { return nil }
        return "its body of \(content.size) bytes wasn't kept" + (content.comment.map { " (\($0))" } ?? "")
    }

    private static func partial(_ count: Int) -> RequestError {
        .connection(
            .init(
                .init(kind: .truncated),
                reason: "the recording ends here: of the body only the first \(count) bytes were kept when it was made"))
    }

    private static func failure(_ text: String) -> RequestError {
        if text.isEmpty { return .connection(.init(.init(kind: .other), reason: "the recording has no answer")) }
        let word = text.split(separator: " ").last.map(String.init) ?? ""
        if text == unread {
            return .connection(
                .init(.init(kind: .truncated), reason: "the recording ends here: its reader stopped reading when it was made"))
        }
        return .connection(.init(.init(kind: .init(rawValue: word) ?? .other), reason: "the recording has the connection fail: \(text)"))
    }
}
