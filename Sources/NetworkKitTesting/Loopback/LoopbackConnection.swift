/// A connection that has just been accepted.
public struct LoopbackConnection: Sendable {
    /// Counts the connections of the server, from 1.
    public let number: Int

    /// What is done with a connection before anything is read from it.
    public enum Decision: Sendable, Hashable {
        /// It is served.
        case accept
        /// It is broken with RST.
        case reset
        /// It is ended with FIN.
        case close
        /// Nothing is ever answered; it stays open until the client goes or the server stops.
        case stall
    }
}
