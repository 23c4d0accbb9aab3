import NetworkKit
import NetworkKitTesting
import PlatformBase

/// What a server of files does, with faults: whole answers and ranges, counted.
final class RangeServer: Sendable {
    private struct State {
        var cuts: [Int] = []
        var requests: [HTTPFields] = []
        var sent = 0
    }

    let bytes: Data
    private let tag: Lock<String?>
    private let state: Lock<State>

    /// - Parameter cuts: after how many bytes of its body each answer in turn breaks off.
    init(_ bytes: Data, tag: String? = "\"1\"", cuts: [Int] = []) {
        self.bytes = bytes
        self.tag = Lock(tag)
        state = Lock(State(cuts: cuts))
    }

    /// The fields of the requests so far.
    var requests: [HTTPFields] { state.withLock(\.requests) }
    /// The ranges that were asked for; `nil` for all.
    var ranges: [String?] { requests.map { $0[.range] } }
    /// How many bytes of bodies were sent.
    var sent: Int { state.withLock(\.sent) }

    func setTag(_ new: String?) { tag.withLock { $0 = new } }
    func setCuts(_ new: [Int]) { state.withLock { $0.cuts = new } }

    func answer(_ request: LoopbackRequest) -> LoopbackResponse {
        let tag = tag.withLock { $0 }
        let isCurrent = request.headers[.ifRange].map { $0 == tag } ?? true
        let start = isCurrent ? request.headers[.range].flatMap { Int($0.dropFirst("bytes=".count).dropLast()) } : nil
        var fields: HTTPFields = ["Accept-Ranges": "bytes"]
        if let tag { fields[.eTag] = tag }
        var answer: LoopbackResponse
        let part: Data
        if let start, start >= bytes.count {
            fields[.contentRange] = "bytes */\(bytes.count)"
            state.withLock { $0.requests.append(request.headers) }
            return .status(416, headers: fields)
        }
        if let start {
            part = Data(bytes[start...])
            fields[.contentRange] = "bytes \(start)-\(bytes.count - 1)/\(bytes.count)"
            answer = .data(part, status: 206, headers: fields)
        } else {
            part = bytes
            answer = .data(part, headers: fields)
        }
        let cut = state.withLock { state -> Int? in
            state.requests.append(request.headers)
            let cut = state.cuts.isEmpty ? nil : state.cuts.removeFirst()
            state.sent += min(cut ?? part.count, part.count)
            return cut
        }
        if let cut, cut < part.count { answer = answer.cut(afterBodyBytes: cut) }
        return answer
    }
}
