public import NetworkKit
internal import PlatformBase

extension StubAnswer {
    /// The answer, or the failure that stands in its place, after a wait by the session's clock.
    ///
    /// A wait that is longer than the request's `timeout` ends with it, as a server's silence does.
    public func delayed(by duration: Duration) -> StubAnswer {
        with { $0.script.delay = duration }
    }

    /// The body in pieces of `bytes`, with a wait by the session's clock before each but the first.
    public func dripping(bytes: Int, every interval: Duration) -> StubAnswer {
        with {
            $0.script.interval = interval
            if case .pieces(let pieces, let length) = $0.body {
                $0.body = .pieces(Self.resliced(pieces, into: max(1, bytes)), length: length)
            }
        }
    }

    /// The pieces of the body with a wait by the session's clock before each but the first.
    public func pausing(_ interval: Duration) -> StubAnswer {
        with { $0.script.interval = interval }
    }

    /// The answer, cut off when so many bytes of the body have come: ``RequestError/connection(_:)``, truncated.
    public func cut(afterBodyBytes count: Int) -> StubAnswer { breaking(.cut, after: count) }

    /// The answer, its connection broken when so many bytes of the body have come: ``RequestError/connection(_:)``, reset.
    public func resetting(afterBodyBytes count: Int) -> StubAnswer { breaking(.reset, after: count) }

    /// The answer, silent when so many bytes of the body have come, until `timeout`, deadline or cancellation.
    public func stalling(afterBodyBytes count: Int) -> StubAnswer { breaking(.stall, after: count) }

    /// The answer, failing in any other way when so many bytes of the body have come.
    public func failing(afterBodyBytes count: Int, with error: RequestError) -> StubAnswer { breaking(.fail(error), after: count) }

    private func breaking(_ ending: StubScript.Ending, after count: Int) -> StubAnswer {
        with { $0.script.breakOff = (max(0, count), ending) }
    }

    private static func resliced(_ pieces: [Data], into size: Int) -> [Data] {
        let whole = pieces.reduce(Data(), +)
        return stride(from: 0, to: whole.count, by: size).map { Data(whole.dropFirst($0).prefix(size)) }
    }
}

/// What is to go slowly, or wrong, with an answer.
struct StubScript: Sendable {
    /// How a body breaks off.
    enum Ending: Sendable {
        case cut
        case reset
        case stall
        case fail(RequestError)
    }

    var delay: Duration?
    var isSilent = false
    /// The wait before each piece but the first, where they are all the same.
    var interval: Duration?
    /// The wait before each piece, where each has its own.
    var pauses: [Duration] = []
    var breakOff: (bodyBytes: Int, ending: Ending)?

    /// Whether the body comes at once and whole.
    var isPlain: Bool { interval == nil && pauses.isEmpty && breakOff == nil }
}
