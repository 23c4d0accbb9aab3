internal import PlatformBase

/// The events of a server (WHATWG HTML §9.2), from one connection after the other.
///
/// ```swift
/// for try await event in client.events(for: Feed()) {
///     switch event.type {
///     case "price": show(try event.decoded(as: Price.self))
///     default: break
///     }
/// }
/// ```
///
/// An event is given as soon as its blank line has come. When a connection ends or breaks, the next is made after the wait that the
/// server asked for, with `Last-Event-ID`; what was half there is dropped, as the standard says. 204 ends the sequence. A status other
/// than 200, and an answer that is no `text/event-stream`, fail for good; so does a fault that won't pass by itself, such as TLS.
///
/// Every connection is a call of its own through the session's stack, made from the endpoint anew: redirects, authentication and logging
/// are as for any other. Iterating opens the first; leaving the loop, or cancelling the task, closes the last at once.
public struct ServerSentEvents: AsyncSequence, Sendable {
    /// An event.
    public typealias Element = ServerSentEvent
    /// What ends the events for good.
    public typealias Failure = RequestError

    /// The most bytes of an event's data, unless the policy says otherwise: 16 MiB.
    public static let standardEventSize = ServerSentEventParser.standardLimit

    let policy: EventStreamPolicy
    /// The ID of the last event that was seen, where an earlier stream is taken up.
    var lastEventID: String
    var random: any RandomNumberGenerator & Sendable
    /// Makes the request of a connection.
    let prepare: @Sendable () throws(RequestError) -> HTTPRequest
    /// Sends it; gives an answer that means success.
    let send: @Sendable (HTTPRequest) async throws(RequestError) -> HTTPResponse

    /// Begins to listen.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }

    /// Listens. Letting go of it closes the connection.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let source: ServerSentEvents
        private var random: any RandomNumberGenerator & Sendable
        private var parser: ServerSentEventParser
        private var state: EventStreamState?
        private var response: HTTPResponse?
        private var body: ResponseBody.AsyncIterator?
        /// The request of the first connection: its origin is where the secrets belong, its deadline is that of all.
        private var first: HTTPRequest?
        private var retry: Duration?
        private var isEnded = false

        init(_ source: ServerSentEvents) {
            self.source = source
            random = source.random
            parser = ServerSentEventParser(lastEventID: source.lastEventID, limit: source.policy.maximumEventSize)
        }

        /// The ID of the last event: with it, another stream can begin where this one ended.
        public var lastEventID: String { parser.lastEventID }

        /// The next event; `nil` when the server has said that there won't be any more.
        public mutating func next() async throws(RequestError) -> ServerSentEvent? { try await next(isolation: nil) }

        /// The next event; `nil` when the server has said that there won't be any more.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(RequestError) -> ServerSentEvent? {
            do throws(RequestError) {
                while !isEnded {
                    if let event = try parser.next() {
                        state?.receivedEvent()
                        return event
                    }
                    if body == nil { try await connect(isolation: actor) } else { try await read(isolation: actor) }
                }
                return nil
            } catch {
                throw fail(error)
            }
        }

        /// Ends the events with an error, which learns what the call was.
        mutating func fail(_ error: RequestError) -> RequestError {
            let told = response.map(error.told(of:)) ?? error
            end()
            return told
        }

        /// Reads what comes next, and sees to it when nothing does.
        private mutating func read(isolation actor: isolated (any Actor)?) async throws(RequestError) {
            var fault: RequestError?
            do throws(RequestError) {
                if let chunk = try await body?.next(isolation: actor) {
                    state?.received()
                    return parser.append(chunk)
                }
            } catch {
                fault = error
            }
            try await ended(fault, isolation: actor)
        }

        private mutating func connect(isolation actor: isolated (any Actor)?) async throws(RequestError) {
            let request = try prepared()
            first = first ?? request
            state = state ?? EventStreamState(policy: source.policy, isSafe: request.method.isSafe)
            do throws(RequestError) {
                let response = try await source.send(request)
                self.response = response
                guard try state?.opened(response.head) == true else { return end() }
                body = response.body.makeAsyncIterator()
            } catch {
                try await ended(error, isolation: actor)
            }
        }

        private mutating func prepared() throws(RequestError) -> HTTPRequest {
            var request = try source.prepare()
            // An ID that an earlier stream ended with may be a field of the endpoint's. One that can't stand in a field isn't told.
            let id = Token.firstForbiddenInFieldValue(parser.lastEventID) == nil ? parser.lastEventID : ""
            if !id.isEmpty || first != nil { request.headers[.lastEventID] = id.isEmpty ? nil : id }
            if !request.headers.contains(.cacheControl) { request.headers[.cacheControl] = "no-store" }
            request.options.cachePolicy = .noStore
            request.options.idleTimeout = source.policy.idleTimeout ?? RequestOptions.unlimited
            if let first {
                request.context.deadline = first.context.deadline
                try request.keepSecrets(at: first)
            }
            return request
        }

        /// Closes a connection, and waits for the time to make the next.
        private mutating func ended(_ error: RequestError?, isolation actor: isolated (any Actor)?) async throws(RequestError) {
            retry = parser.retry ?? retry
            let last = response
            body = nil
            response = nil
            let step = state?.ended(error, retry: retry, random: RandomSource.unit(random.next())) ?? .finish
            switch step {
            case .finish: end()
            case .fail(let error): throw last.map { error.told(of: $0) } ?? error
            case .reconnect(let delay):
                parser = ServerSentEventParser(lastEventID: parser.lastEventID, limit: source.policy.maximumEventSize)
                try await wait(delay, isolation: actor)
            }
        }

        private func wait(_ delay: Duration, isolation actor: isolated (any Actor)?) async throws(RequestError) {
            if Task.isCancelled { throw .cancelled }
            guard let first else { return }
            let remaining = first.context.remaining ?? delay
            try await first.context.pause(for: Swift.min(delay, remaining))
            if remaining <= delay, first.context.deadline != nil { throw .deadline(first.options.deadline) }
        }

        private mutating func end() {
            isEnded = true
            body = nil
            response = nil
        }
    }
}

extension HTTPField.Name {
    /// `Last-Event-ID` (WHATWG HTML §9.2.4).
    public static var lastEventID: Self { "Last-Event-ID" }
}
