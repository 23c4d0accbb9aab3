internal import PlatformBase

/// The data of a server's events as models, each as soon as its event is whole: see ``HTTPClient/events(for:as:policy:after:random:)``.
public struct DecodedEvents<Model: Decodable & Sendable>: AsyncSequence, Sendable {
    /// The model of an event's data.
    public typealias Element = Model
    /// What ends the events for good, and data that isn't the model.
    public typealias Failure = RequestError

    let events: ServerSentEvents
    let decoder: any ResponseDecoder

    /// Begins to listen.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(events: events.makeAsyncIterator(), decoder: decoder) }

    /// Listens. Letting go of it closes the connection.
    public struct AsyncIterator: AsyncIteratorProtocol {
        var events: ServerSentEvents.AsyncIterator
        let decoder: any ResponseDecoder

        /// The ID of the last event: with it, another stream can begin where this one ended.
        public var lastEventID: String { events.lastEventID }

        /// The next model; `nil` when the server has said that there won't be any more.
        public mutating func next() async throws(RequestError) -> Model? { try await next(isolation: nil) }

        /// The next model; `nil` when the server has said that there won't be any more.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(RequestError) -> Model? {
            guard let event = try await events.next(isolation: actor) else { return nil }
            do throws(RequestError) {
                return try await event.decodedOffActor(as: Model.self, decoder: decoder)
            } catch {
                throw events.fail(error)
            }
        }
    }
}

extension ServerSentEvent {
    /// The event's data as a model.
    ///
    /// ```swift
    /// case "price": show(try event.decoded(as: Price.self))
    /// ```
    ///
    /// - Parameter decoder: what reads the data. Default: JSON with RFC 3339 dates.
    /// - Throws: ``RequestError/decode(_:)`` with the place in the data and the piece around it.
    public func decoded<Model: Decodable>(as type: Model.Type, decoder: any ResponseDecoder = .json) throws(RequestError) -> Model {
        if let text = data as? Model { return text }
        do {
            return try decoder.decode(type, from: Data(data.utf8))
        } catch {
            throw ModelDecoding.fault(error, type: type, data: Data(data.utf8), in: "the data of the event \(Token.quoted(self.type))")
        }
    }

    /// The same, off the caller's actor and off a transport's loop.
    @concurrent
    fileprivate func decodedOffActor<Model: Decodable & Sendable>(
        as type: Model.Type, decoder: any ResponseDecoder
    ) async throws(RequestError) -> Model {
        let prefersExecutor = withUnsafeCurrentTask { $0?.unownedTaskExecutor != nil }
        guard prefersExecutor else { return try decoded(as: type, decoder: decoder) }
        return try await withTaskExecutorPreference(globalConcurrentExecutor) {
            Result { () throws(RequestError) in try decoded(as: type, decoder: decoder) }
        }.get()
    }
}
