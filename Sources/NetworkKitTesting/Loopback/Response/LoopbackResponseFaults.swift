internal import NetworkKit
public import PlatformBase

extension LoopbackResponse {
    /// No answer: the connection stays open, and silent, until the client goes or the server stops.
    public static var stalled: LoopbackResponse { opening(.stall) }

    /// No answer: the connection is broken with RST once the request has been read.
    public static var reset: LoopbackResponse { opening(.reset) }

    /// No answer: the connection is ended with FIN once the request has been read.
    public static var dropped: LoopbackResponse { opening(.close) }

    /// These bytes in place of an answer, whatever they are.
    ///
    /// - Parameter thenClose: whether the connection is closed behind them; otherwise the next request is read from it.
    public static func raw(_ bytes: Data, thenClose: Bool = true) -> LoopbackResponse {
        opening(.raw(bytes, thenClose: thenClose))
    }

    /// The bytes of a text in place of an answer, whatever they are. Line ends are sent as they are: write `\r\n`.
    public static func raw(_ text: String, thenClose: Bool = true) -> LoopbackResponse {
        raw(Data(text.utf8), thenClose: thenClose)
    }

    /// The answer, or what stands in its place, after a wait by the server's clock. A client that goes ends the wait.
    public func delayed(by duration: Duration) -> LoopbackResponse {
        with { $0.script.delay = duration }
    }

    /// The body in pieces of `bytes`, with a wait before each but the first.
    public func dripping(bytes: Int, every interval: Duration) -> LoopbackResponse {
        with {
            $0.body = $0.body.resliced(into: max(1, bytes))
            $0.script.dripInterval = interval
        }
    }

    /// The answer, ended with FIN when so many bytes of the body are out. The head tells of the whole body.
    public func cut(afterBodyBytes count: Int) -> LoopbackResponse { ending(.close, after: count) }

    /// The answer, broken with RST when so many bytes of the body are out. The head tells of the whole body. What is on its way
    /// may be lost to the client, as it is with any RST.
    public func resetting(afterBodyBytes count: Int) -> LoopbackResponse { ending(.reset, after: count) }

    /// The answer, silent when so many bytes of the body are out; the connection stays open until the client goes or the server
    /// stops.
    public func stalling(afterBodyBytes count: Int) -> LoopbackResponse { ending(.stall, after: count) }

    /// The answer with a `Content-Length` of one's own. The body is sent whole all the same; where it is of another length, the
    /// connection is closed behind it.
    public func declaringLength(_ count: Int) -> LoopbackResponse {
        with { $0.headers[.contentLength] = String(count) }
    }

    private static func opening(_ opening: FaultScript.Opening) -> LoopbackResponse {
        LoopbackResponse(status: 200).with { $0.script.opening = opening }
    }

    private func ending(_ ending: FaultScript.Ending, after count: Int) -> LoopbackResponse {
        with { $0.script.breakOff = (max(0, count), ending) }
    }
}

/// What is to go wrong with an answer.
struct FaultScript: Sendable {
    /// What comes in the place of the head.
    enum Opening: Sendable {
        case head
        case stall
        case reset
        case close
        case raw(Data, thenClose: Bool)
    }

    /// How an answer breaks off.
    enum Ending: Sendable { case close, reset, stall }

    /// What becomes of the connection behind a whole answer.
    enum Closing: Sendable { case none, announced, silent }

    var delay: Duration?
    var opening = Opening.head
    var dripInterval: Duration?
    var breakOff: (bodyBytes: Int, ending: Ending)?
    var closing = Closing.none
}
