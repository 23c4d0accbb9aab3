internal import PlatformBase

extension HTTPResponse {
    /// The body of an answer that means success, and the final figures.
    ///
    /// - Throws: ``RequestError/unauthorized(_:)`` for 401 and ``RequestError/unexpectedStatusCode(_:)`` for any other status
    ///   outside 200 to 299, with the beginning of the body; and what ends the transfer.
    nonisolated(nonsending) func successBody(upTo limit: Int) async throws(RequestError) -> (Data, RequestMetrics) {
        guard head.status.isSuccess else { throw await statusError() }
        do {
            let data = try await body.collect(upTo: limit)
            return (data, body.metrics ?? metrics)
        } catch {
            throw broken(by: error)
        }
    }

    /// The error that a status outside 200 to 299 is, with what of the body is kept.
    func statusError() async -> RequestError {
        var kept = Data()
        var isTruncated = false
        do {
            for try await chunk in body {
                kept.append(chunk)
                isTruncated = kept.count > FailedResponse.bodyLimit
                if isTruncated { break }
            }
        } catch {
            // The status is what the caller needs; a body that breaks off doesn't change it.
            isTruncated = true
        }
        body.discard()
        let response = FailedResponse(
            head: head, body: Data(kept.prefix(FailedResponse.bodyLimit)), isBodyTruncated: isTruncated)
        let error: RequestError =
            head.status == 401 ? .unauthorized(.init(response: response)) : .unexpectedStatusCode(.init(response: response))
        return error.retold { story in
            if let request { story.secrets.formUnion(request.allSecrets) }
        }
    }
}
