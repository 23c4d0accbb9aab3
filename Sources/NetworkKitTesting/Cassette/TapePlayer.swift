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

    /// The next recording of a request; `nil` when there is none, or none any more.
    func take(_ request: HAR.Request) -> HAR.Entry? {
        let fitting = entries.indices.filter { comparison.differences(of: request, from: entries[$0].request).isEmpty }
        let place = played.withLock { played -> Int? in
            let place = fitting.first { !played.contains($0) } ?? (repeats ? fitting.last : nil)
            if let place { played.insert(place) }
            return place
        }
        return place.map { entries[$0] }
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
    static func answer(_ entry: HAR.Entry, isPaced: Bool) -> StubAnswer {
        let recorded = entry.response
        if recorded.status == 0 { return .failure(failure(recorded.error ?? "")) }
        let data = recorded.content.data ?? Data()
        var fields = HTTPFields(recorded.headers.filter { !$0.name.hasPrefix(":") })
        fields.removeAll(.contentEncoding)
        fields.removeAll(.transferEncoding)
        // An answer that has no body tells of the body that another one would have (RFC 9110 §8.6).
        let isBodyless = entry.request.method == "HEAD" || recorded.status == 304
        if !isBodyless, let length = fields[.contentLength], length != "\(data.count)" { fields.removeAll(.contentLength) }
        let chunks = recorded.content.chunks ?? []
        var answer = StubAnswer(
            HTTPStatus(recorded.status), fields, .pieces(pieces(data, chunks), length: chunks.isEmpty ? Int64(data.count) : nil))
        if let trailers = recorded.trailers { answer.trailers = HTTPFields(trailers) }
        answer.interim = (recorded.interim ?? []).map { (HTTPStatus($0.status), HTTPFields($0.headers)) }
        if let error = recorded.error { answer = answer.failing(afterBodyBytes: data.count, with: failure(error)) }
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

    private static func failure(_ text: String) -> RequestError {
        let word = text.split(separator: " ").last.map(String.init) ?? ""
        if text == unread {
            return .connection(
                .init(.init(kind: .truncated), reason: "the recording ends here: its reader stopped reading when it was made"))
        }
        return .connection(.init(.init(kind: .init(rawValue: word) ?? .other), reason: "the recording has the connection fail: \(text)"))
    }
}
