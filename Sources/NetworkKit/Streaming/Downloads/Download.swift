internal import PlatformBase

/// One download: makes its requests one after the other, and takes what comes to the file. What to do is ``DownloadState``'s to say.
struct Download: Sendable {
    let target: DownloadTarget
    let options: DownloadOptions
    let random: RandomSource
    /// Makes the request anew for each attempt.
    let prepare: @Sendable () throws(RequestError) -> HTTPRequest
    /// Sends it; gives the answer, whatever its status.
    let send: @Sendable (HTTPRequest) async throws(RequestError) -> HTTPResponse
    /// The error that an answer's status is.
    let fault: @Sendable (HTTPResponse) async -> RequestError
    /// Told of the bytes in the file, and of how many there will be.
    let report: (@Sendable (Int64, Int64?) -> Void)?

    /// Downloads; gives the file.
    ///
    /// - Throws: why there is none. What has come is kept for the next time, where it can be gone on with.
    nonisolated(nonsending) func run() async throws(RequestError) -> URL {
        let first = try prepare()
        let digest = try expectedDigest()
        let source = PartialRecord.source(of: first)
        let (target, replaces) = (target, options.existingFile == .replace)
        let keeps = options.resumption.keepsPartialFile
        let (file, record) = try await FileWork.run { () throws(RequestError) in
            let place = try target.prepare(replaces: replaces, source: source)
            let file = try PartialFile(in: place.folder, name: place.name, digests: digest != nil)
            return (file, keeps ? file.record().flatMap { $0.source == source ? $0 : nil } : nil)
        }
        let sink = FileSink(file)
        let beginning = record.map { DownloadState.Beginning(offset: file.size, validator: $0.validator, total: $0.total) }
        var state = DownloadState(policy: options.resumption, request: first, beginning: beginning)
        var name = record?.name
        do throws(RequestError) {
            try await fetch(&state, first, source, sink, &name)
            try await check(digest, sink)
            let place = target.place(name: name ?? FileName.standard)
            try await sink.run { (file) throws(RequestError) in
                try DownloadTarget.check(file: place.path, replaces: replaces)
                try file.become(place.path, replaces: replaces)
            }
            return place
        } catch {
            let isKept = keeps && state.isResumable && !error.spoils
            await sink.end { file in if !isKept { file.remove() } }
            throw error
        }
    }

    /// The digest that the file must have.
    private func expectedDigest() throws(RequestError) -> String? {
        guard let text = options.sha256?.lowercased() else { return nil }
        guard text.utf8.count == 64, text.allSatisfy(\.isHexDigit), text.utf8.allSatisfy({ $0 < 0x80 }) else {
            throw .integrity(
                .init(.init(expected: text, actual: ""), reason: "\(Token.quoted(text)) is no SHA-256, which has 64 hexadecimal digits"))
        }
        return text
    }

    /// Makes requests until the file is whole.
    private nonisolated(nonsending) func fetch(
        _ state: inout DownloadState, _ first: HTTPRequest, _ source: String, _ sink: FileSink, _ name: inout String?
    ) async throws(RequestError) {
        var request = first
        while true {
            var response: HTTPResponse?
            var fault: RequestError?
            do throws(RequestError) {
                let range = state.nextRange()
                if let range {
                    request.headers[.range] = range.range
                    request.headers[.ifRange] = range.ifRange
                }
                let answer = try await send(request)
                response = answer
                guard answer.status.isSuccess || (range != nil && answer.status.code == 416) else { throw await self.fault(answer) }
                switch try await read(answer, &state, source, sink, &name) {
                case .complete: return
                case .unusable:
                    request = try again(first)
                    continue
                case .ended: break
                }
            } catch {
                fault = error
            }
            let today = first.context.clock.date
            let wait = fault?.response.flatMap { ServerWait.wait($0.head.headers, status: $0.head.status, now: today) }
            switch state.ended(fault, wait: wait, random: random.unit()) {
            case .finish: return try await sink.flush()
            case .fail(let error): throw response.map { error.told(of: $0) } ?? error
            case .goOn(let wait):
                // What is to be gone on from must be in the file.
                try await sink.flush()
                try await pause(wait, first)
            }
            request = try again(first)
        }
    }

    /// A further request of the download.
    private func again(_ first: HTTPRequest) throws(RequestError) -> HTTPRequest {
        var request = try prepare()
        request.context.deadline = first.context.deadline
        try request.keepSecrets(at: first)
        return request
    }

    private enum Outcome {
        /// Nothing is missing.
        case complete
        /// Nothing of it could be taken.
        case unusable
        /// It was read to its end.
        case ended
    }

    /// Takes an answer to the file.
    private nonisolated(nonsending) func read(
        _ response: HTTPResponse, _ state: inout DownloadState, _ source: String, _ sink: FileSink, _ name: inout String?
    ) async throws(RequestError) -> Outcome {
        // A transport's stream doesn't know its length; the field does.
        var length = response.body.expectedLength
        if length == nil { length = try ContentLength.value(response.headers[values: .contentLength]) }
        let reading = state.answered(response.head, length: length, now: response.request?.context.clock.date ?? Date())
        switch reading {
        case .complete, .fail, .unusable: response.body.discard()
        case .append(let place):
            name = name ?? FileName.of(response.head)
            try await sink.run { (file) throws(RequestError) in if file.size != place { try file.truncate(to: place) } }
        case .startOver:
            name = FileName.of(response.head)
            let record =
                options.resumption.keepsPartialFile
                ? state.validator.map { PartialRecord(source: source, validator: $0, total: state.total, name: name) } : nil
            try await sink.run { (file) throws(RequestError) in try file.begin(record) }
        }
        switch reading {
        case .complete: return .complete
        case .unusable: return .unusable
        case .fail(let error): throw error
        case .append, .startOver: break
        }
        report?(state.offset, state.total)
        do throws(RequestError) {
            for try await chunk in response.body {
                try state.received(chunk.count)
                try await sink.append(chunk)
                report?(state.offset, state.total)
            }
        } catch {
            response.body.discard()
            throw response.broken(by: error)
        }
        return .ended
    }

    private nonisolated(nonsending) func pause(_ wait: Duration, _ first: HTTPRequest) async throws(RequestError) {
        if Task.isCancelled { throw .cancelled }
        let remaining = first.context.remaining ?? wait
        try await first.context.pause(for: min(wait, remaining))
        if first.context.deadline != nil, remaining <= wait { throw .deadline(first.options.deadline) }
    }

    /// Compares the file with what it must be.
    private nonisolated(nonsending) func check(_ expected: String?, _ sink: FileSink) async throws(RequestError) {
        guard let expected else { return }
        while true {
            if Task.isCancelled { throw .cancelled }
            // What was there before this call is read once more, in pieces that a cancelled call needn't wait long for.
            let digest = try await sink.run { (file) throws(RequestError) in try file.digest(upTo: 1 << 20) }
            guard let actual = digest.map({ Hexadecimal.text($0) }) else { continue }
            guard actual == expected else {
                throw .integrity(.init(.init(expected: expected, actual: actual), reason: "the file's SHA-256 is not the one it must have"))
            }
            return
        }
    }
}

extension RequestError {
    /// Whether what has come is of no use any more.
    fileprivate var spoils: Bool {
        switch self {
        case .integrity, .responseTooLarge: true
        case .unexpectedStatusCode: statusCode.map { [404, 410].contains($0.code) } ?? false
        default: false
        }
    }
}
