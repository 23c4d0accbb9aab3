internal import PlatformBase

/// One download from the first request to the last byte: what is asked for next, what an answer means, and what follows when it ends.
///
/// It knows of no file, no clock and no network. What is in the file are the bytes from 0 to ``offset``.
struct DownloadState: Sendable {
    /// What lies beside a partial file, as far as it matters here.
    struct Beginning: Sendable, Equatable {
        var offset: Int64
        var validator: RangeValidator
        var total: Int64?
    }

    /// What an answer means for the file.
    enum Reading: Sendable {
        /// Its bytes follow those that are there up to a place.
        case append(at: Int64)
        /// Its bytes are the first.
        case startOver
        /// Nothing is missing.
        case complete
        /// It can't be used; another request is to be made at once, from the first byte on. That happens once.
        case unusable
        /// It ends the download.
        case fail(RequestError)
    }

    /// What follows.
    enum Step: Sendable {
        case finish
        case goOn(after: Duration)
        case fail(RequestError)
    }

    /// How many bytes there are.
    private(set) var offset: Int64 = 0
    /// How many there will be.
    private(set) var total: Int64?
    /// What makes the rest one with what there is; `nil` where nothing does.
    private(set) var validator: RangeValidator?

    private let policy: ResumptionPolicy
    private let limit: Int?
    /// Whether the method promises that asking twice does no harm.
    private let isSafe: Bool
    /// Whether the request asks for a range itself, which is what is to be in the file then.
    private let hasOwnRange: Bool
    /// Whether ranges mean something, and are ours to ask for.
    private var usesRanges: Bool
    /// From where on the rest was asked for.
    private var asked: Int64?
    /// Where the answer that is being read says that it ends.
    private var end: Int64?
    /// Whether there was an answer that could be used.
    private var hasBegun = false
    private var farthest: Int64 = 0
    private var failures = 0
    private var obstacle: Obstacle?

    /// Why an answer that broke off can't be resumed.
    private enum Obstacle: String, Sendable {
        case coding = "the answer is coded, and a part of a coded answer is of no use"
        case noValidator = "the answer has neither an ETag nor a Last-Modified that is old enough"
        case weakValidator = "the answer's ETag is weak, which doesn't say that the bytes are the same"
        case ownRange = "the request asks for a range itself"
        case method = "ranges are defined for GET only"
        case distrust = "the server's answers to ranges can't be used"
    }

    init(policy: ResumptionPolicy, request: HTTPRequest, beginning: Beginning?) {
        self.policy = policy
        limit = request.options.maximumBodySize
        isSafe = request.method.isSafe
        hasOwnRange = request.headers.contains(.range)
        usesRanges = request.method == .get && !hasOwnRange
        obstacle = hasOwnRange ? .ownRange : request.method == .get ? nil : .method
        if usesRanges, let beginning, beginning.offset > 0, beginning.offset <= beginning.total ?? .max {
            offset = beginning.offset
            validator = beginning.validator
            total = beginning.total
            farthest = offset
        }
    }

    /// Whether what there is can be gone on with later.
    var isResumable: Bool { usesRanges && validator != nil && offset > 0 }

    /// The fields of the next request, beside its own (RFC 9110 §14.2, §13.1.5); `nil` to ask for all.
    mutating func nextRange() -> (range: String, ifRange: String)? {
        asked = nil
        end = nil
        guard usesRanges, offset > 0, let validator else { return nil }
        // Where nothing is missing, the last byte is asked for once more: an answer to that says that it is still the last of the same.
        let start = min(offset, (total ?? .max) - 1)
        asked = start
        return ("bytes=\(start)-", validator.text)
    }

    /// An answer is there, which means success or, where a range was asked for, 416.
    ///
    /// - Parameters:
    ///   - length: how long its body is, as far as known.
    mutating func answered(_ head: ResponseHead, length: Int64?, now: @autoclosure () -> Date) -> Reading {
        switch (head.status.code, asked) {
        case (206, let asked?): return part(head, asked)
        case (206, nil) where !hasOwnRange:
            return .fail(.malformed("the answer is 206, a part, to a request that asked for all"))
        case (416, _?):
            // The tag was right, or the answer would be all of the new bytes; so the length says whether the end was known.
            if case .unsatisfied(let length)? = contentRange(head), length == offset, total ?? length == length { return .complete }
            return distrust()
        default: return whole(head, length, now())
        }
    }

    private mutating func part(_ head: ResponseHead, _ asked: Int64) -> Reading {
        guard !isCoded(head) else { return distrust() }
        guard case .part(let range, let total)? = contentRange(head), range.lowerBound == asked else {
            return distrust()
        }
        guard self.total == nil || total == nil || self.total == total, range.upperBound < self.total ?? .max else {
            return distrust()
        }
        guard validator?.allows(head.headers) == true else { return distrust() }
        self.total = self.total ?? total
        if let limit, let all = self.total, all > Int64(limit) { return .fail(.tooLarge(limit: limit, declared: all)) }
        hasBegun = true
        offset = asked
        end = range.upperBound + 1
        return .append(at: asked)
    }

    private mutating func whole(_ head: ResponseHead, _ length: Int64?, _ now: Date) -> Reading {
        offset = 0
        // Whatever was asked for, this is all of it, and ends where it ends (RFC 9110 §15.3.1).
        asked = nil
        validator = nil
        total = length
        end = total
        hasBegun = true
        if usesRanges {
            if isCoded(head) {
                obstacle = .coding
            } else {
                switch RangeValidator.of(head.headers, now: now) {
                case .success(let found):
                    validator = found
                    obstacle = nil
                case .failure(.weak): obstacle = .weakValidator
                case .failure(.none): obstacle = .noValidator
                }
            }
        }
        if let limit, let total, total > Int64(limit) { return .fail(.tooLarge(limit: limit, declared: total)) }
        return .startOver
    }

    /// Bytes have come.
    mutating func received(_ count: Int) throws(RequestError) {
        offset += Int64(count)
        if let limit, offset > Int64(limit) { throw .tooLarge(limit: limit) }
        if let end, offset > end { throw .malformed("the answer has more bytes than it said") }
    }

    /// An answer has ended, or none has come.
    ///
    /// - Parameters:
    ///   - error: why, unless it was the answer's own end.
    ///   - wait: how long the server asks to wait.
    ///   - random: a number from 0 up to 1.
    mutating func ended(_ error: RequestError?, wait: Duration? = nil, random: Double) -> Step {
        if let error { return broke(error, wait: wait, random: random) }
        if let end, offset < end { return broke(.shortBody(offset, of: end), wait: nil, random: random) }
        // A part whose whole is unknown may not be the last: the next request tells.
        guard let total else { return asked == nil ? .finish : more(random: random) }
        return offset == total ? .finish : more(random: random)
    }

    /// The server gave less than it was asked for.
    private mutating func more(random: Double) -> Step {
        guard isResumable else { return broke(.shortBody(offset, of: total ?? offset), wait: nil, random: random) }
        guard count() else { return .fail(given(up: .shortBody(offset, of: total ?? offset))) }
        return .goOn(after: failures == 0 ? .zero : policy.backoff.wait(after: failures, random: random))
    }

    private mutating func broke(_ error: RequestError, wait: Duration?, random: Double) -> Step {
        guard hasBegun, isSafe, error.isRetryable else { return .fail(hasBegun && !isResumable ? saying(error) : error) }
        guard wait ?? .zero <= policy.longestServerWait, count() else { return .fail(given(up: error)) }
        return .goOn(after: max(policy.backoff.wait(after: max(failures, 1), random: random), wait ?? .zero))
    }

    /// Counts an attempt; `false` when it was the last.
    private mutating func count() -> Bool {
        guard policy.maximumAttempts > 0 else { return false }
        if offset > farthest, isResumable {
            farthest = offset
            failures = 0
        } else {
            failures += 1
        }
        return failures < policy.maximumAttempts
    }

    /// What the server says of ranges is wrong, or is of other bytes: it won't be asked for one again.
    private mutating func distrust() -> Reading {
        usesRanges = false
        validator = nil
        obstacle = .distrust
        offset = 0
        total = nil
        return .unusable
    }

    private func given(up error: RequestError) -> RequestError {
        guard failures > 0 else { return saying(error) }
        return saying(error).retold { $0.add(remark: "\(failures) attempts in a row brought nothing new") }
    }

    /// The error with why the download couldn't be resumed.
    private func saying(_ error: RequestError) -> RequestError {
        guard let obstacle else { return error }
        return error.retold { $0.add(remark: "the download can't be resumed: \(obstacle.rawValue)") }
    }

    private func contentRange(_ head: ResponseHead) -> ContentRange? { head.headers[.contentRange].flatMap { ContentRange($0) } }

    private func isCoded(_ head: ResponseHead) -> Bool {
        head.headers[.contentEncoding].map { $0.trimmingSpaces().lowercased() != "identity" } ?? false
    }
}

extension RequestError {
    fileprivate static func shortBody(_ count: Int64, of total: Int64) -> RequestError {
        .connection(.init(.init(kind: .truncated), reason: "the body ended after \(count) of \(total) bytes"))
    }
}
