/// Who hears what a transport reports of a request, and those further out who hear it too. One reference: a request carries it through
/// many hands.
final class EventListener: Sendable {
    private let outer: EventListener?
    private let take: @Sendable (TransportEvent) -> Void

    init(in outer: EventListener? = nil, _ take: @escaping @Sendable (TransportEvent) -> Void) {
        self.outer = outer
        self.take = take
    }

    /// Tells all, outermost first.
    func hear(_ event: TransportEvent) {
        outer?.hear(event)
        take(event)
    }
}

extension HTTPRequest {
    /// Has somebody hear what is reported from now on, beside those that hear it already.
    mutating func listen(_ take: @escaping @Sendable (TransportEvent) -> Void) { listener = EventListener(in: listener, take) }

    /// The request for whoever remembers it: nobody listens to it, who would be held by what he holds.
    var unheard: HTTPRequest {
        var request = self
        request.listener = nil
        return request
    }
}
