#if canImport(CCurl)
internal import CCurl
internal import PlatformBase

/// One sending of a request, on the loop's thread: what libcurl calls back, and what becomes of it.
final class CurlJob {
    // One thread alone comes here, and what changes a property calls nobody back who would look at it: nothing overlaps that could be found
    // by checking each access, of which there are many in each callback.

    /// What the loop does when libcurl is done with a sending.
    enum Verdict {
        case over
        /// A kept connection was dead, nothing was answered, and the request may go again.
        case sendAgain
    }

    let transfer: Transfer
    var easy: UnsafeMutableRawPointer { handle.easy }
    var options: CurlTransport.Options { worker.options }

    let handle: CurlHandle
    // The worker holds its jobs and outlives them.
    private unowned(unsafe) let worker: CurlWorker
    private let isResend: Bool
    /// What libcurl reads of while the sending lasts.
    let prepared: CurlRequest
    @exclusivity(unchecked) private var parser = ResponseHeadParser()
    @exclusivity(unchecked) private var buffer: ByteBuffer
    @exclusivity(unchecked) private var upload = CurlUpload()

    /// The connection that it goes on, and its stream there.
    @exclusivity(unchecked) private(set) var ends: ConnectionEnds?
    private var stream: UInt32?
    private var isRefused = false
    /// When a server's giving up of the connection ends the job.
    private var givenUpEnds: Duration?

    /// How often libcurl was about to send; more than once when a kept connection was dead.
    @exclusivity(unchecked) private var sends = 0
    @exclusivity(unchecked) private var lastActivity: Duration
    private let began: Duration
    /// How long the request waited for its turn.
    var queue: Duration?
    /// When the last bytes of the request's body were taken to be sent.
    private var lastSent: Duration?
    @exclusivity(unchecked) private var isConnected = false
    @exclusivity(unchecked) private var isReadPaused = false
    @exclusivity(unchecked) private var isHeadDelivered = false
    @exclusivity(unchecked) private var isConcluded = false
    @exclusivity(unchecked) private var isTouched = false
    /// Whether the answer was whole, and the rest of the request not wanted.
    private var isAnsweredEarly = false
    /// Bytes of the body that have come, for whoever listens.
    @exclusivity(unchecked) private var receivedCount: Int64 = 0
    /// Bytes that the reader hasn't taken, as far as the loop knows.
    @exclusivity(unchecked) private var held = 0
    @exclusivity(unchecked) private var gathering: Int?
    private var draining: (budget: Int, ends: Duration)?
    /// What a callback found wrong; libcurl only learns that it is to stop.
    @exclusivity(unchecked) private var failure: RequestError?

    init(_ transfer: Transfer, _ prepared: CurlRequest, on handle: CurlHandle, worker: CurlWorker, isResend: Bool) {
        self.transfer = transfer
        self.prepared = prepared
        self.handle = handle
        self.worker = worker
        self.isResend = isResend
        events = transfer.request.events
        buffer = ByteBuffer(blocks: worker.blocks)
        began = worker.now
        lastActivity = began
        gathering = transfer.gathering
    }

    private var request: HTTPRequest { transfer.request }
    private let events: (@Sendable (TransportEvent) -> Void)?

    // MARK: Set-up

    /// Tells libcurl of the request.
    func prepare(_ loop: CurlLoop) {
        let setup = CurlSetup(handle)
        handle.job = self
        setup.request(
            prepared,
            // Where libcurl's second sending can't be stopped, a connection that is surely new takes what may not be sent twice.
            isFresh: isResend || (!CurlLibrary.hasPrerequest && !request.isIdempotent),
            waitsForMultiplexing: loop.options.offersHTTP2 && transfer.origin.scheme == "https",
            isStream: gathering == nil)
        if prepared.continueWait == nil { upload.open(for: transfer, loop) } else { upload.withhold() }
    }

    /// The job of an easy handle.
    static func of(_ easy: UnsafeMutableRawPointer?) -> CurlJob? {
        var context: UnsafeMutableRawPointer?
        guard let easy, nk_getinfo_pointer(easy, Int32(NK_INFO_PRIVATE), &context) == NK_E_OK else { return nil }
        return CurlHandle.job(context)
    }

    // MARK: libcurl's callbacks

    func open(_ address: nk_address) -> Int32 { worker.events.open(address) }

    /// Before each sending. The first goes ahead; a second is libcurl's own idea, and ours to decide: see `conclude`.
    func willSend(on ends: ConnectionEnds?) -> Bool {
        sends += 1
        guard sends == 1, !isAbandoned else { return false }
        self.ends = ends
        if let ends, worker.knowsGoAways, !handle.isReused { worker.connectionMade(ends) }
        becomeConnected()
        return true
    }

    /// libcurl says something of HTTP/2.
    func heard(_ remark: HTTP2Remark) {
        switch remark {
        case .stream(let number): stream = number
        case .refused: isRefused = true
        case .goAway(let goAway): if let ends { worker.heard(goAway, on: ends) }
        }
    }

    private func becomeConnected() {
        guard !isConnected else { return }
        isConnected = true
        lastActivity = worker.now
        guard let events else { return }
        events(.measured(measured()))
        events(.connected(reused: handle.isReused))
    }

    /// A line of the head or of the trailers; `false` ends the transfer.
    func received(line: UnsafeRawBufferPointer) -> Bool {
        guard failure == nil else { return false }
        becomeConnected()
        lastActivity = worker.now
        let wasComplete = parser.isComplete
        let interimCount = parser.interim.count
        do throws(RequestError) {
            try parser.take(line)
            if parser.isComplete && !wasComplete { try headIsComplete() }
        } catch {
            failure = error
            return false
        }
        if parser.interim.count > interimCount, let last = parser.interim.last {
            events?(.interim(last.status, last.headers))
        }
        return true
    }

    private func headIsComplete() throws(RequestError) {
        events?(.head(parser.status))
        if prepared.continueWait != nil { answeredExpectation() }
        if let events, let bodyLength { events(.expecting(bodyLength)) }
        // The body's limit may be nearer than the head's.
        if request.options.idleTimeout != nil { worker.watch(self) }
        if let limit = gathering, parser.status.isSuccess, let length = bodyLength {
            if length > Int64(rawLimit(limit)) { throw .tooLarge(limit: limit, declared: length) }
            buffer.reserve(Int(length))
        }
        touch()
    }

    private func answeredExpectation() {
        // Whether the server still waits for the body, nobody can tell; it would take the next request for that.
        if upload.isWithheld { CurlSetup(handle).forbidReuse() }
        // After that a handle of libcurl's waits for no server any more.
        if parser.status == 417 { handle.isSpoilt = true }
    }

    /// Whether what comes is kept until all is there, so that nobody is told of it before.
    private var gathersSuccess: Bool { gathering != nil && parser.status.isSuccess }

    /// A limit counts decoded bytes; coded ones may be a little more when nothing can be compressed.
    private func rawLimit(_ limit: Int) -> Int {
        guard parser.mayBeCoded else { return limit }
        let (raised, isOverflow) = limit.addingReportingOverflow(limit / 1000 + 65_536)
        return isOverflow ? .max : raised
    }

    /// How many bytes of body will come, when the answer says so and has one.
    private var bodyLength: Int64? {
        if request.method == .head || [204, 304].contains(parser.status.code) { return 0 }
        return parser.contentLength
    }

    enum Intake {
        case taken
        case pause
        case stop
    }

    /// Bytes of the body.
    func received(body bytes: UnsafeRawBufferPointer) -> Intake {
        guard failure == nil else { return .stop }
        lastActivity = worker.now
        if let draining {
            self.draining?.budget -= bytes.count
            return draining.budget >= bytes.count ? .taken : .stop
        }
        touch()
        // Until its head is handed over, an answer that is no success isn't gathered: see `deliver`.
        if let limit = gathering, parser.status.isSuccess || isHeadDelivered {
            guard buffer.count + bytes.count <= rawLimit(limit) else {
                failure = .tooLarge(limit: limit)
                return .stop
            }
        } else if held + buffer.count >= TransferState<Int, Int>.highWater {
            isReadPaused = true
            return .pause
        } else if gathering == nil, isHeadDelivered, buffer.isFull(with: bytes.count) {
            held = transfer.receive(buffer.take(), isPaused: false).held
        }
        guard buffer.append(bytes, gathers: gathering != nil) else {
            failure = .connection(.init(reason: "there is no memory for the body, \(buffer.count) bytes of which have come"))
            return .stop
        }
        receivedCount += Int64(bytes.count)
        events?(.received(receivedCount))
        return .taken
    }

    /// Fills libcurl's buffer with what is to be sent next.
    func fill(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
        switch upload.read(into: buffer, for: transfer, worker.loop) {
        case .bytes(let count):
            lastActivity = worker.now
            lastSent = lastActivity
            events?(.sent(upload.sent))
            return count
        case .end: return 0
        case .nothingYet:
            if refusesRest, isAnswerWhole {
                isAnsweredEarly = true
                return Int(NK_CURL_READFUNC_ABORT)
            }
            upload.isPaused = true
            return Int(NK_CURL_READFUNC_PAUSE)
        case .failure(let error):
            failure = error
            return Int(NK_CURL_READFUNC_ABORT)
        }
    }

    /// Whether the server, which hasn't all of the request, wants no more of it (RFC 9112 §9.5).
    private var refusesRest: Bool {
        parser.isComplete
            && (parser.status.code >= 300 || parser.headers[.connection]?.lowercased().contains("close") ?? false)
    }

    /// Whether all of an answer with a length is there. libcurl, whose sending is paused, wouldn't say so.
    private var isAnswerWhole: Bool { bodyLength.map { handle.count(NK_INFO_SIZE_DOWNLOAD_T) >= $0 } ?? false }

    // MARK: Delivery

    private func touch() {
        guard !isTouched, !gathersSuccess || upload.isPaused else { return }
        isTouched = true
        worker.touch(self)
    }

    /// Hands over what came in this round. A caller who wants a value gets a successful answer as a whole, at its end.
    func deliver() {
        isTouched = false
        guard !isConcluded, draining == nil, parser.isComplete else { return }
        // libcurl waits for a body that is paused, also where it would have stopped sending; it must be asked again.
        if upload.isPaused, refusesRest { uploadReady() }
        if !isHeadDelivered {
            if gathersSuccess { return }
            isHeadDelivered = true
            gathering = nil
            transfer.receive(head: receivedHead(measured()))
        }
        guard gathering == nil else { return }
        let (held, resumes) = transfer.receive(buffer.take(), isPaused: isReadPaused)
        self.held = held
        if resumes { resumeReading() }
    }

    private func receivedHead(_ metrics: RequestMetrics) -> ReceivedHead {
        ReceivedHead(
            head: ResponseHead(status: parser.status, headers: parser.headers, url: request.url, interim: parser.interim),
            length: bodyLength, metrics: metrics, mayBeCoded: parser.mayBeCoded)
    }

    /// The reader has taken bytes, or wants the rest at once.
    func readerChanged() {
        gathering = transfer.gathering
        held = 0
        if isReadPaused { resumeReading() }
    }

    /// The request's body has bytes again.
    func uploadReady() {
        guard upload.isPaused else { return }
        upload.isPaused = false
        unpause()
    }

    private func resumeReading() {
        isReadPaused = false
        unpause()
    }

    private func unpause() {
        lastActivity = worker.now
        let receive: Int32 = 1 << 0
        let send: Int32 = 1 << 2
        let code = curl_easy_pause(easy, (isReadPaused ? receive : 0) | (upload.isPaused ? send : 0))
        // What it held back has been called back with by now; where that was refused, libcurl forgets to go on.
        if Int(code) != NK_E_OK || failure != nil { worker.endSoon(self, code) }
        worker.runTimersSoon()
        worker.watch(self)
    }

    // MARK: Ends

    /// Reads a short rest away, so that the connection can be kept; `false` when it isn't worth it.
    func drain() -> Bool {
        let budget = 64 * 1024
        guard parser.isComplete, handle.version?.major != 2, !upload.isWithheld, !upload.isOpen || request.body?.length == 0 else {
            return false
        }
        if let length = bodyLength, length - handle.count(NK_INFO_SIZE_DOWNLOAD_T) > Int64(budget) { return false }
        draining = (budget, worker.now + .seconds(1))
        resumeReading()
        return true
    }

    /// Decides how the sending has ended, and tells the caller.
    func conclude(_ code: CURLcode) -> Verdict {
        isConcluded = true
        parser.endTrailers()
        let metrics = measured()
        events?(.ended(metrics))
        isAnsweredEarly = isAnsweredEarly || wasAnsweredEarly(code)
        // Of a request on a connection that ends, libcurl may also say that it went well, without an answer.
        if failure == nil, Int(code) != NK_E_OK || !parser.isComplete, !isAnsweredEarly {
            switch end(code).meaning(for: request) {
            case .sendAgain: return .sendAgain
            case .failed(let error): failure = error
            case .asSaid: break
            }
        }
        // A reader of a stream gets the head that came, and finds the failure behind what there is of the body.
        let head = parser.isComplete ? receivedHead(metrics) : nil
        var result = Result<Void, RequestError>.success(())
        if let failure = failure ?? (isAnsweredEarly ? nil : CurlFault.error(for: code, on: self)) {
            result = .failure(failure.retold { $0.response = $0.response ?? head.map { FailedResponse(head: $0.head) } })
        }
        transfer.finish(result, head: head, last: buffer.take(), metrics: metrics, trailers: parser.trailers)
        return .over
    }

    private func end(_ code: CURLcode) -> SendingEnd {
        SendingEnd(
            code: Int(code), sends: sends, isResend: isResend, isReused: handle.isReused, hasAnswerBegun: hasAnswerBegun,
            isRefused: isRefused, stream: stream, goAway: goAway, isStreamClosed: isStreamClosed(code))
    }

    /// Whether a server that has answered kept libcurl from sending the rest: by closing the connection, having refused it, or by closing
    /// the stream (RFC 9113 §8.1).
    private func wasAnsweredEarly(_ code: CURLcode) -> Bool {
        guard parser.isComplete else { return false }
        // After a 417 libcurl is about to send again by itself, which is stopped, and so passes over the answer's body.
        let isStopped = [NK_E_TOO_MANY_REDIRECTS, NK_E_ABORTED_BY_CALLBACK].contains(Int(code))
        if prepared.continueWait != nil, parser.status == 417, isStopped { return true }
        guard isAnswerWhole else { return false }
        return Int(code) == NK_E_SEND_ERROR && refusesRest || isStreamClosed(code)
    }

    // MARK: HTTP/2

    private var goAway: HTTP2GoAway? { ends.flatMap { worker.goAway(on: $0) } }

    /// Whether libcurl found the stream closed as it sent on, and says nothing of an answer.
    private func isStreamClosed(_ code: CURLcode) -> Bool { Int(code) == NK_E_HTTP2_STREAM && handle.failureText.isEmpty }

    /// Ends the job soon when it is on a connection that its server has given up and ought to close (RFC 9113 §5.4.1). libcurl would
    /// wait for that. What came before may still be on its way through libcurl.
    func connectionGivenUp(_ ends: ConnectionEnds) {
        guard ends == self.ends, givenUpEnds == nil else { return }
        givenUpEnds = worker.now + .milliseconds(50)
        worker.watch(self)
    }

    /// Lets go of all that the sending held. The handle is in no transfer any more.
    func close() -> CurlHandle {
        upload.close()
        return handle
    }

    // MARK: Time

    /// Whether the request's host is still being looked up, as far as libcurl tells: nothing is connected, and no address is known.
    var isLookingUp: Bool { !isConnected && handle.count(NK_INFO_NAMELOOKUP_TIME_T) == 0 }

    /// Leaves the job to end by itself, for nobody: its lookup can't be broken off without waiting for it.
    func abandon() {
        isAbandoned = true
        failure = .cancelled
    }

    private(set) var isAbandoned = false

    /// When the peer will have been silent for too long; `nil` while it is not its turn.
    var silenceEnds: Duration? {
        if let ends = draining?.ends ?? givenUpEnds { return ends }
        return isReadPaused || upload.isPaused ? nil : lastActivity + timeout
    }

    private var timeout: Duration {
        isHeadComplete ? request.options.bodyTimeout : request.options.timeout ?? RequestOptions.Standard.timeout
    }

    /// The error of a peer that has been silent for too long.
    var silence: RequestError {
        if givenUpEnds != nil, let goAway { return .givenUp(goAway) }
        let what = isConnected ? "the server said nothing for \(timeout)" : "no connection within \(timeout)"
        return .timedOut(.init(.init(limit: .attempt, after: timeout), reason: "\(what); RequestOptions.timeout bounds it"))
    }

    // MARK: What the answer is so far

    /// Whether any byte of an answer has come.
    var hasAnswerBegun: Bool { parser.byteCount > 0 }
    var isHeadComplete: Bool { parser.isComplete }

    private func measured() -> RequestMetrics {
        var metrics = handle.metrics(isOver: isConcluded, sends: isResend ? 2 : 1)
        metrics.queue = queue
        if let lastSent { metrics.requestSent = lastSent - began }
        return metrics
    }
}
#endif
