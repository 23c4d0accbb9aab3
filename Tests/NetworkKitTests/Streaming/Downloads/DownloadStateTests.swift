import NetworkKitTesting
import PlatformBase
import Testing

@testable import NetworkKit

@Suite("What an answer means for a download")
struct DownloadStateTests {
    private static let now = Date(timeIntervalSince1970: 1_767_225_600)
    private static let plain = HTTPRequest(url: url("https://api.example.com/file"))
    private static let policy = ResumptionPolicy(maximumAttempts: 3, backoff: .constant(.seconds(1)))
    private static let broken = RequestError.connection(.init(.init(kind: .truncated), reason: "cut"))

    private func head(_ status: HTTPStatus, _ headers: HTTPFields = [:]) -> ResponseHead {
        ResponseHead(status: status, headers: headers, url: url("https://api.example.com/file"))
    }

    /// A download of 100 bytes, 40 of which are there.
    private func begun(
        _ request: HTTPRequest = plain, policy: ResumptionPolicy = policy, total: Int64? = 100, offset: Int64 = 40
    ) -> DownloadState {
        DownloadState(policy: policy, request: request, beginning: .init(offset: offset, validator: .tag("\"a\""), total: total))
    }

    private func name(_ reading: DownloadState.Reading) -> String {
        switch reading {
        case .append(let place): "append \(place)"
        case .startOver: "start over"
        case .complete: "complete"
        case .unusable: "unusable"
        case .fail(let error): "fail \(error.caseName)"
        }
    }

    private func name(_ step: DownloadState.Step) -> String {
        switch step {
        case .finish: "finish"
        case .goOn(let wait): "go on \(wait / .seconds(1))"
        case .fail(let error): "fail \(error.caseName)"
        }
    }

    /// Answers to `Range: bytes=40-`, If-Range `"a"`, of what was 100 bytes.
    static let answers: [(status: HTTPStatus, headers: HTTPFields, reading: String)] = [
        (206, ["Content-Range": "bytes 40-99/100"], "append 40"),
        (206, ["Content-Range": "bytes 40-99/100", "ETag": "\"a\""], "append 40"),
        (206, ["Content-Range": "bytes 40-99/*"], "append 40"),
        (206, ["Content-Range": "bytes 40-49/100"], "append 40"),
        (206, ["Content-Range": "Bytes  40-99/100"], "append 40"),
        (206, ["Content-Range": "bytes 0-99/100"], "unusable"),
        (206, ["Content-Range": "bytes 41-99/100"], "unusable"),
        (206, ["Content-Range": "bytes 40-99/101"], "unusable"),
        (206, ["Content-Range": "bytes 40-100/100"], "unusable"),
        (206, ["Content-Range": "bytes 40-149/*"], "unusable"),
        (206, ["Content-Range": "bytes 40-39/100"], "unusable"),
        (206, ["Content-Range": "bytes */100"], "unusable"),
        (206, ["Content-Range": "lines 40-99/100"], "unusable"),
        (206, ["Content-Range": "bytes 40-99"], "unusable"),
        (206, ["Content-Range": "bytes -40-99/100"], "unusable"),
        (206, ["Content-Type": "multipart/byteranges; boundary=x"], "unusable"),
        (206, ["Content-Range": "bytes 40-99/100", "ETag": "\"b\""], "unusable"),
        (206, ["Content-Range": "bytes 40-99/100", "ETag": "W/\"a\""], "unusable"),
        (206, ["Content-Range": "bytes 40-99/100", "Content-Encoding": "gzip"], "unusable"),
        (200, ["ETag": "\"b\""], "start over"),
        (200, [:], "start over"),
        (416, ["Content-Range": "bytes */100"], "unusable"),
        (416, ["Content-Range": "bytes */40"], "unusable"),
        (416, [:], "unusable"),
    ]

    @Test("An answer to a range is used only where it is that range of the same bytes", arguments: answers.indices)
    func readings(row: Int) throws {
        let (status, headers, expected) = Self.answers[row]
        var state = begun()
        let asked = state.nextRange()
        let range = try #require(asked)
        #expect(range == ("bytes=40-", "\"a\""))
        #expect(name(state.answered(head(status, headers), length: nil, now: Self.now)) == expected, "\(status) \(headers)")
        // What can't be used is asked for as a whole.
        if expected == "unusable" {
            #expect(state.nextRange() == nil)
            #expect(state.offset == 0)
        }
    }

    @Test("416 means that nothing was missing, where the end wasn't known")
    func unsatisfied() {
        var state = begun(total: nil)
        _ = state.nextRange()
        #expect(name(state.answered(head(416, ["Content-Range": "bytes */40"]), length: nil, now: Self.now)) == "complete")
    }

    @Test("Where nothing is missing, the last byte is asked for once more")
    func lastByte() throws {
        var state = begun(offset: 100)
        let asked = state.nextRange()
        let range = try #require(asked)
        #expect(range.range == "bytes=99-")
        #expect(name(state.answered(head(206, ["Content-Range": "bytes 99-99/100"]), length: 1, now: Self.now)) == "append 99")
        try state.received(1)
        #expect(name(state.ended(nil, random: 0)) == "finish")
    }

    @Test("An answer that is all of it ends where it ends, also without a length, whatever was asked for")
    func wholeWithoutLength() throws {
        var state = begun()
        _ = state.nextRange()
        #expect(name(state.answered(head(200, ["ETag": "\"b\""]), length: nil, now: Self.now)) == "start over")
        try state.received(70)
        #expect(name(state.ended(nil, random: 0)) == "finish")
    }

    @Test("206 to who asked for all is no answer, but is one to who asked for a range")
    func partUnasked() {
        var state = DownloadState(policy: Self.policy, request: Self.plain, beginning: nil)
        #expect(state.nextRange() == nil)
        #expect(name(state.answered(head(206, ["Content-Range": "bytes 0-9/10"]), length: 10, now: Self.now)) == "fail connection")
        var own = Self.plain
        own.headers[.range] = "bytes=0-9"
        var ofOwn = begun(own)
        #expect(ofOwn.offset == 0 && ofOwn.nextRange() == nil)
        #expect(name(ofOwn.answered(head(206, ["Content-Range": "bytes 0-9/10"]), length: 10, now: Self.now)) == "start over")
        #expect(!ofOwn.isResumable)
    }

    @Test("What is more than the server said, or there can be, doesn't count", arguments: [Int64(101), .max])
    func tooLong(offset: Int64) {
        var state = begun(offset: offset)
        #expect(state.nextRange() == nil && state.offset == 0)
    }

    /// What a first answer must say for its rest to be asked for.
    static let validators: [(headers: HTTPFields, ifRange: String?)] = [
        (["ETag": "\"a\""], "\"a\""),
        (["ETag": "W/\"a\""], nil),
        (["ETag": "a"], nil),
        (["ETag": "\""], nil),
        ([:], nil),
        (["ETag": "\"a\"", "Content-Encoding": "gzip"], nil),
        (["ETag": "\"a\"", "Content-Encoding": "identity"], "\"a\""),
        (["Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT", "Date": "Sun, 06 Nov 1994 08:50:37 GMT"], "Sun, 06 Nov 1994 08:49:37 GMT"),
        (["Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT", "Date": "Sun, 06 Nov 1994 08:50:36 GMT"], nil),
        (["Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT"], nil),
        (["ETag": "W/\"a\"", "Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT", "Date": "Sun, 06 Nov 1994 09:50:37 GMT"], nil),
        (
            ["ETag": "\"a\"", "Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT", "Date": "Sun, 06 Nov 1994 09:50:37 GMT"], "\"a\""
        ),
        (["Last-Modified": "yesterday", "Date": "Sun, 06 Nov 1994 08:50:36 GMT"], nil),
    ]

    @Test("A rest is asked for with a strong validator only", arguments: validators.indices)
    func validator(row: Int) throws {
        let (headers, ifRange) = Self.validators[row]
        var state = DownloadState(policy: Self.policy, request: Self.plain, beginning: nil)
        _ = state.nextRange()
        _ = state.answered(head(200, headers), length: 100, now: Self.now)
        try state.received(30)
        #expect(name(state.ended(Self.broken, random: 0)) == "go on 1.0")
        #expect(state.nextRange()?.ifRange == ifRange)
        #expect(state.isResumable == (ifRange != nil))
    }

    @Test("Attempts count while nothing new comes, and anew when something does")
    func attempts() throws {
        var state = begun()
        var steps: [String] = []
        func attempt(_ bytes: Int?) throws {
            _ = state.nextRange()
            if let bytes {
                let fields: HTTPFields = ["Content-Range": "bytes \(state.offset)-99/100"]
                _ = state.answered(head(206, fields), length: nil, now: Self.now)
                try state.received(bytes)
            }
            steps.append(name(state.ended(Self.broken, random: 0)))
        }
        for bytes in [10, nil, 0, 10, nil, nil, nil] { try attempt(bytes) }
        #expect(steps == ["go on 1.0", "go on 1.0", "go on 1.0", "go on 1.0", "go on 1.0", "go on 1.0", "fail connection"])
    }

    @Test("What can't be resumed begins anew so many times in all, and says why it can't")
    func restarts() throws {
        var state = DownloadState(policy: Self.policy, request: Self.plain, beginning: nil)
        var last = ""
        for bytes in [10, 20, 30] {
            #expect(state.nextRange() == nil)
            _ = state.answered(head(200, ["Content-Encoding": "gzip", "ETag": "\"a\""]), length: 100, now: Self.now)
            try state.received(bytes)
            let step = state.ended(Self.broken, random: 0)
            last = name(step)
            if case .fail(let error) = step {
                #expect(error.description.contains("can't be resumed: the answer is coded"))
                #expect(error.description.contains("3 attempts in a row"))
            }
        }
        #expect(last == "fail connection")
    }

    @Test("What isn't a drop ends it: a first failure, a refusal, a status, a method that may not be repeated")
    func noDrop() throws {
        var first = begun()
        _ = first.nextRange()
        #expect(name(first.ended(Self.broken, random: 0)) == "fail connection")
        for error: RequestError in [
            .cancelled(), .unauthorized(), .connection(.init(.init(kind: .tls))), .timedOut(.init(.init(limit: .deadline))),
        ] {
            var state = begun()
            _ = state.nextRange()
            _ = state.answered(head(206, ["Content-Range": "bytes 40-99/100"]), length: 60, now: Self.now)
            #expect(name(state.ended(error, random: 0)) == "fail \(error.caseName)")
            #expect(state.isResumable)
        }
        var post = Self.plain
        post.method = .post
        var state = begun(post)
        #expect(state.nextRange() == nil)
        _ = state.answered(head(200, ["ETag": "\"a\""]), length: 100, now: Self.now)
        try state.received(10)
        #expect(name(state.ended(Self.broken, random: 0)) == "fail connection")
        #expect(!state.isResumable)
    }

    @Test("A part that is less than was asked for is gone on from, with a wait only if it brought nothing")
    func shortParts() throws {
        var state = begun()
        _ = state.nextRange()
        _ = state.answered(head(206, ["Content-Range": "bytes 40-49/100"]), length: 10, now: Self.now)
        try state.received(10)
        #expect(name(state.ended(nil, random: 0)) == "go on 0.0")
        #expect(state.nextRange()?.range == "bytes=50-")
        _ = state.answered(head(206, ["Content-Range": "bytes 50-99/100"]), length: 50, now: Self.now)
        try state.received(49)
        #expect(name(state.ended(nil, random: 0)) == "go on 1.0")
        _ = state.nextRange()
        _ = state.answered(head(206, ["Content-Range": "bytes 99-99/100"]), length: 1, now: Self.now)
        try state.received(1)
        #expect(name(state.ended(nil, random: 0)) == "finish")
        #expect(throws: RequestError.self) { try state.received(1) }
    }

    @Test("A server that asks to wait is waited for, unless it asks for too long")
    func serverWait() throws {
        var state = begun()
        _ = state.nextRange()
        _ = state.answered(head(206, ["Content-Range": "bytes 40-99/100"]), length: 60, now: Self.now)
        try state.received(5)
        _ = state.ended(Self.broken, random: 0)
        _ = state.nextRange()
        let busy = RequestError.unexpectedStatusCode(.init(response: FailedResponse(head: head(503))))
        #expect(name(state.ended(busy, wait: .seconds(30), random: 0)) == "go on 30.0")
        _ = state.nextRange()
        #expect(name(state.ended(busy, wait: .seconds(61), random: 0)) == "fail unexpectedStatusCode")
    }

    @Test("A limit of size holds for the file, not for each answer")
    func limit() throws {
        var request = Self.plain
        request.options.maximumBodySize = 50
        var declared = begun(request)
        _ = declared.nextRange()
        #expect(
            name(declared.answered(head(206, ["Content-Range": "bytes 40-99/100"]), length: 60, now: Self.now)) == "fail responseTooLarge")
        var unknown = begun(request, total: nil)
        _ = unknown.nextRange()
        _ = unknown.answered(head(206, ["Content-Range": "bytes 40-99/*"]), length: 60, now: Self.now)
        try unknown.received(10)
        #expect(throws: RequestError.self) { try unknown.received(1) }
    }
}
