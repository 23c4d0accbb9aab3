internal import PlatformBase

/// What has been asked for and what has come, so that pages that lead in a circle, or are the same for ever, are found out: some bytes a
/// page.
struct PageHistory: Sendable {
    private var requests: Set<Int> = []
    private var lastBody: Int?
    private var count = 0

    /// Notes the request of the next page.
    ///
    /// - Throws: ``RequestError/stream(_:)`` when the same has been asked for before.
    mutating func add(_ request: HTTPRequest) throws(RequestError) {
        count += 1
        guard let mark = Self.mark(request) else { return }
        guard requests.insert(mark).inserted else {
            throw fault("page \(count) is asked for as an earlier one was: the pages lead in a circle", request)
        }
    }

    /// Notes the body of the page.
    ///
    /// - Throws: ``RequestError/stream(_:)`` when it is, to the byte, that of the page before.
    mutating func add(_ body: Data, of request: HTTPRequest) throws(RequestError) {
        let mark = body.isEmpty ? nil : Self.mark(body)
        guard mark == nil || mark != lastBody else {
            throw fault("page \(count) is the same as the one before, to the byte: the server doesn't seem to turn the page", request)
        }
        lastBody = mark
    }

    private func fault(_ reason: String, _ request: HTTPRequest) -> RequestError {
        RequestError.stream(.init(.init(position: count), reason: reason + "; allowsRepeats lets it pass")).retold { $0.add(request) }
    }

    /// Method, URL, fields and body in a number; `nil` for a body that can't be looked at.
    private static func mark(_ request: HTTPRequest) -> Int? {
        var hasher = Hasher()
        hasher.combine(request.method)
        hasher.combine(request.url.absoluteString)
        hasher.combine(request.headers)
        switch request.body?.content {
        case nil: hasher.combine(0)
        case .data(let data)?: hash(data, into: &hasher)
        default: return nil
        }
        return hasher.finalize()
    }

    private static func mark(_ data: Data) -> Int {
        var hasher = Hasher()
        hash(data, into: &hasher)
        return hasher.finalize()
    }

    /// All of the bytes: Foundation's own hash takes the first 80.
    private static func hash(_ data: Data, into hasher: inout Hasher) {
        hasher.combine(data.count)
        data.withUnsafeBytes { hasher.combine(bytes: $0) }
    }
}
