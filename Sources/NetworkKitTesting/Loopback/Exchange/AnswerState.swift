internal import NetworkKit
internal import PlatformBase

/// Where an answer is: which bytes come next and what becomes of the connection. It decides, and does nothing.
struct AnswerState {
    private enum Phase { case beforeHead, inBody, finished, raw }

    /// Where the client sees the end of the body (RFC 9112 §6.3).
    private enum Framing: Equatable {
        /// The answer has no body, whatever its fields say: it is one to HEAD, or its status has none.
        case none
        case length(remaining: Int)
        case chunked
        case untilClose
    }

    /// What becomes of the connection.
    enum Connection { case keep, close }

    private var phase = Phase.beforeHead
    private var framing = Framing.none
    private let isHead: Bool
    private let isOldVersion: Bool
    private(set) var connection: Connection

    init(isHead: Bool, isOldVersion: Bool, asksToKeepConnection: Bool) {
        self.isHead = isHead
        self.isOldVersion = isOldVersion
        connection = asksToKeepConnection ? .keep : .close
    }

    var hasBegun: Bool { phase != .beforeHead }
    var isFinished: Bool { phase == .finished || phase == .raw }
    /// Whether body bytes go out at all.
    var hasBody: Bool { framing != .none }

    /// The bytes of an interim answer; none for a client that doesn't know them (RFC 9110 §15.2).
    func interim(_ status: HTTPStatus, _ headers: HTTPFields) throws(LoopbackError) -> Data {
        guard phase == .beforeHead else { throw .misuse("an interim answer comes before the head") }
        guard status.isInformational else { throw .misuse("\(status.code) is the status of no interim answer") }
        return isOldVersion ? Data() : HeadText.bytes(status, headers)
    }

    /// The bytes of the head.
    ///
    /// - Parameters:
    ///   - length: the body's length in bytes, where it is known.
    ///   - isChunked: whether the body is sent in chunks even so.
    ///   - closing: whether the connection is to be closed behind the answer.
    mutating func head(
        _ status: HTTPStatus, _ headers: HTTPFields, length: Int?, isChunked: Bool, closing: FaultScript.Closing
    ) throws(LoopbackError) -> Data {
        guard phase == .beforeHead else { throw .misuse("the head has been sent") }
        phase = .inBody
        var fields = headers
        frame(status, &fields, length: isChunked ? nil : length)
        if closing != .none { connection = .close }
        if let options = headers[.connection].map(ListValue.members) {
            if options.contains("close") { connection = .close }
        } else if connection == .close, closing != .silent {
            fields.append(HTTPField(name: .connection, value: "close"))
        } else if isOldVersion {
            fields.append(HTTPField(name: .connection, value: "keep-alive"))
        }
        return HeadText.bytes(status, fields)
    }

    private mutating func frame(_ status: HTTPStatus, _ fields: inout HTTPFields, length: Int?) {
        let hasNoBody = isHead || status.isInformational || status == 204 || status == 304
        if let coding = fields[.transferEncoding] {
            framing = ListValue.members(coding).last == "chunked" ? .chunked : .untilClose
        } else if let declared = fields[.contentLength] {
            framing = Int(declared).map { .length(remaining: $0) } ?? .untilClose
        } else if status.isInformational || status == 204 || status == 304 {
            framing = .none
        } else if let length {
            framing = .length(remaining: length)
            fields.append(HTTPField(name: .contentLength, value: String(length)))
        } else if isOldVersion {
            framing = .untilClose
        } else {
            framing = .chunked
            fields.append(HTTPField(name: .transferEncoding, value: "chunked"))
        }
        if hasNoBody {
            framing = .none
        } else if framing == .untilClose {
            connection = .close
        }
    }

    /// The bytes for a piece of the body: a chunk, or the piece itself.
    ///
    /// - Parameter cutAt: how much of the piece is sent when the answer is to break off in it.
    mutating func piece(_ data: Data, cutAt: Int? = nil) throws(LoopbackError) -> Data {
        guard phase == .inBody else { throw .misuse("a piece of the body comes between the head and the end") }
        let sent = cutAt.map { data.prefix($0) } ?? data
        switch framing {
        case .none: return Data()
        case .untilClose: return sent
        case .length(let remaining):
            framing = .length(remaining: remaining - sent.count)
            return sent
        case .chunked:
            if data.isEmpty { return Data() }
            var bytes = Data(String(data.count, radix: 16).utf8)
            bytes.reserveCapacity(bytes.count + sent.count + 4)
            bytes.append(contentsOf: [0x0D, 0x0A])
            bytes.append(sent)
            if cutAt == nil { bytes.append(contentsOf: [0x0D, 0x0A]) }
            return bytes
        }
    }

    /// The bytes that end the body. A body that is not of the length told can only be followed by the connection's end.
    mutating func end(trailers: HTTPFields) throws(LoopbackError) -> Data {
        guard phase == .inBody else { throw .misuse("the end comes behind the head, and once") }
        phase = .finished
        switch framing {
        case .chunked: return HeadText.lastChunk(trailers: trailers)
        case .length(let remaining) where remaining != 0: connection = .close
        case .none, .untilClose, .length: break
        }
        return Data()
    }

    /// Bytes go out that nobody here understands. When the answer isn't finished by its own calls, the connection is closed.
    mutating func sentRaw(keepsConnection: Bool) {
        phase = .raw
        if !keepsConnection { connection = .close }
    }

    /// The connection is to be closed behind what has been sent.
    mutating func breakOff() {
        phase = .raw
        connection = .close
    }

    mutating func closeConnection() { connection = .close }
}
