internal import PlatformBase

extension HAR.Entry {
    /// An exchange as an archive has it, secrets masked.
    init(
        _ request: HTTPRequest, sent: PassedBytes, head: ResponseHead?, passage: BodyPassage?, kept: Int,
        error: RequestError?, started: Date, duration: Duration, secrets: SecretValues
    ) {
        var secrets = secrets
        secrets.insert(head: head)
        let metrics = passage?.metrics ?? RequestMetrics()
        self.init(
            started: started, request: HAR.Request(request, sent: sent, secrets: secrets, metrics: metrics),
            response: HAR.Response(
                head, (passage?.first(kept) ?? Data(), passage), error: error, secrets: secrets, metrics: metrics),
            timings: HAR.Timings(metrics))
        // What no transport measured still took its time.
        if metrics.phases.isEmpty {
            timings.wait = duration.milliseconds
            time = timings.total
        }
    }
}

extension HAR.Request {
    fileprivate init(_ request: HTTPRequest, sent: PassedBytes, secrets: SecretValues, metrics: RequestMetrics) {
        var reference = URIReference(RequestURL.withoutCredentials(request.url.absoluteString))
        reference.fragment = nil
        self.init(method: request.method.name, url: secrets.masking(reference.text), headers: request.headers.harPairs(secrets))
        httpVersion = metrics.version.map { "\($0)" } ?? ""
        queryString = (reference.query ?? "").split(separator: "&").map { item in
            let pair = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map { PercentEncoding.decode($0) }
            return HAR.Pair(name: secrets.masking(pair[0]), value: secrets.masking(pair.count > 1 ? pair[1] : ""))
        }
        bodySize = request.body == nil ? 0 : request.body?.length ?? sent.count
        guard let body = request.body else { return }
        let kept = sent.bytes
        // A stream without a length may have been let go of anywhere.
        let isCut = body.length.map { $0 > kept.count } ?? true
        let type = request.headers[.contentType] ?? body.contentType ?? ""
        guard let plain = PlainContent.of(kept, fields: request.headers, isCut: isCut) else {
            postData = HAR.PostData(Data(), mimeType: type)
            postData?.comment = PlainContent.isNotKept
            return
        }
        postData = HAR.PostData(secrets.masking(plain, isCut: isCut), mimeType: type)
        if Int64(kept.count) < bodySize {
            // Of a coded body those are counted that were sent.
            postData?.comment = "the first \(kept.count) bytes"
        }
    }
}

extension HAR.Response {
    fileprivate init(
        _ head: ResponseHead?, _ body: (kept: Data, passage: BodyPassage?), error: RequestError?, secrets: SecretValues,
        metrics: RequestMetrics
    ) {
        let isCut = body.passage?.isMore(than: body.kept.count) ?? false
        let type = head?.headers[.contentType] ?? ""
        var content = HAR.Content(mimeType: type)
        if let plain = PlainContent.of(body.kept, fields: head?.headers ?? [:], isCut: isCut) {
            content = HAR.Content(secrets.masking(plain, isCut: isCut), mimeType: type)
            if isCut { content.comment = "the first \(body.kept.count) bytes" }
        } else {
            content.comment = PlainContent.isNotKept
        }
        content.size = body.passage?.count ?? 0
        if isCut || content.text == nil { content.isPartial = true }
        self.init(
            status: head?.status.code ?? 0, headers: head?.headers.harPairs(secrets) ?? [], content: content,
            error: error.map { secrets.masking($0.descriptionWithoutRequest) })
        statusText = head?.status.reasonPhrase ?? ""
        httpVersion = metrics.version.map { "\($0)" } ?? ""
        redirectURL = head?.headers[.location].map { secrets.masking(RequestURL.withoutCredentials($0)) } ?? ""
        bodySize = metrics.total == nil ? -1 : metrics.bodyBytesReceived
        if let head, !head.interim.isEmpty {
            interim = head.interim.map { HAR.Interim(status: $0.status.code, headers: $0.headers.harPairs(secrets)) }
        }
    }
}

extension BodyPassage {
    /// Whether more of the body came than its first bytes, or more was to come.
    func isMore(than first: Int) -> Bool {
        if case .whole = ending { count > first } else { true }
    }
}

extension HAR.Timings {
    fileprivate init(_ metrics: RequestMetrics) {
        self.init()
        for span in metrics.phases {
            let time = span.duration.milliseconds
            switch span.phase {
            case .queue: blocked = time
            case .lookup: dns = time
            case .connect: connect = time
            case .tls:
                ssl = time
                connect = max(connect, 0) + time
            case .send: send = time
            case .wait: wait = time
            case .receive: receive = time
            case .decode: break
            }
        }
    }
}

extension HTTPFields {
    /// The fields as an archive shows them, secrets masked.
    fileprivate func harPairs(_ secrets: SecretValues) -> [HAR.Pair] {
        map { field in
            let value = field.name == .location ? RequestURL.withoutCredentials(field.value) : field.value
            return HAR.Pair(name: field.name.rawName, value: field.isSecret ? SecretValues.mask : secrets.masking(value))
        }
    }
}
