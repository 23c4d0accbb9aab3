internal import PlatformBase

extension HTTPClient {
    /// The lines of an answer, as text, each as soon as it has come: see ``ResponseLines``.
    ///
    /// ```swift
    /// for try await line in client.lines(for: ServerLog()) { print(line) }
    /// ```
    ///
    /// The request is sent when iteration begins, and anew for each iteration. It has no deadline unless the endpoint sets one.
    ///
    /// - Parameter limit: the most bytes of a line. Default 16 MiB.
    public func lines(for endpoint: some Endpoint, upTo limit: Int = ResponseLines.standardLimit) -> ResponseLines {
        ResponseLines(limit: limit, open: session.opening(endpoint))
    }

    /// The values of an answer that has one in JSON on each line: see ``JSONLines``.
    ///
    /// The request is sent when iteration begins, and anew for each iteration. It has no deadline unless the endpoint sets one. Lines
    /// are read by the endpoint's decoder, else by the session's. `Accept`, unless the endpoint sets it, asks for
    /// `application/x-ndjson` or `application/jsonl`.
    ///
    /// - Parameter limit: the most bytes of a line. Default 16 MiB.
    public func jsonLines<Model: Decodable & Sendable>(
        for endpoint: some Endpoint, as model: Model.Type, upTo limit: Int = ResponseLines.standardLimit
    ) -> JSONLines<Model> {
        let session = session
        return JSONLines(
            limit: limit, decoder: endpoint.decoder ?? session.decoder,
            open: session.opening(endpoint, accept: "application/x-ndjson, application/jsonl, */*;q=0.5"))
    }

    /// The events of a server, from one connection after the other: see ``ServerSentEvents``.
    ///
    /// ```swift
    /// for try await event in client.events(for: Feed()) { print(event.type, event.data) }
    /// ```
    ///
    /// The first connection is made when iteration begins. `Accept: text/event-stream` and `Cache-Control: no-store` are sent unless
    /// the endpoint sets them. ``RequestOptions/timeout`` bounds connecting and the wait for the head; a deadline, which only the
    /// endpoint sets, bounds all connections together.
    ///
    /// - Parameters:
    ///   - policy: when the next connection is made, and what counts as dead or as too large.
    ///   - lastEventID: the ID of the last event that was seen, to go on behind it.
    ///   - random: what the jitter is drawn from.
    public func events(
        for endpoint: some Endpoint, policy: EventStreamPolicy = .standard, after lastEventID: String = "",
        random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
    ) -> ServerSentEvents {
        let session = session
        return ServerSentEvents(
            policy: policy, lastEventID: lastEventID, random: random,
            prepare: { () throws(RequestError) in try session.streamRequest(for: endpoint, accept: "text/event-stream") },
            send: { (request) async throws(RequestError) in try await session.successStream(request) })
    }

    /// The data of a server's events as models: see ``events(for:policy:after:random:)``.
    ///
    /// ```swift
    /// for try await price in client.events(for: Prices(), as: Price.self) { show(price) }
    /// ```
    ///
    /// The data is read by the endpoint's decoder, else by the session's; `String` gives it as it is. Data that isn't the model ends
    /// the sequence with ``RequestError/decode(_:)``. Where events differ by type, or one of them is no model, take the events
    /// themselves and ``ServerSentEvent/decoded(as:decoder:)``.
    public func events<Model: Decodable & Sendable>(
        for endpoint: some Endpoint, as model: Model.Type, policy: EventStreamPolicy = .standard, after lastEventID: String = "",
        random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
    ) -> DecodedEvents<Model> {
        DecodedEvents(
            events: events(for: endpoint, policy: policy, after: lastEventID, random: random),
            decoder: endpoint.decoder ?? session.decoder)
    }
}

extension HTTPSession {
    /// What sends an endpoint's request and gives its answer as a stream, if its status means success.
    fileprivate func opening(_ endpoint: some Endpoint, accept: String? = nil) -> StreamOpening {
        { () async throws(RequestError) in
            let response = try await successStream(streamRequest(for: endpoint, accept: accept))
            return (response.body, response)
        }
    }

    /// The answer to a request as a stream, if its status means success.
    fileprivate nonisolated(nonsending) func successStream(_ request: HTTPRequest) async throws(RequestError) -> HTTPResponse {
        let response = try await stream(request).get()
        guard response.status.isSuccess else { throw await response.statusError().retold { $0.add(request) } }
        return response
    }

    /// The request of a call whose answer is read as a stream.
    func streamRequest(for endpoint: some Endpoint, accept: String?) throws(RequestError) -> HTTPRequest {
        var request = try request(for: endpoint, delivery: .stream, wantsJSON: false)
        if let accept, !endpoint.headers.contains(.accept) { request.headers[.accept] = accept }
        return request
    }
}
