extension LoopbackServer {
    /// The bounds of what a server holds.
    public struct Limits: Sendable, Hashable {
        /// The most bytes of a request's head, and of its trailers. A longer one is answered with 431.
        public var headSize = 64 << 10
        /// The most connections open at a time. One more is closed as soon as it is accepted, and not counted.
        public var connections = 4_096
        /// The most requests kept on record; the first ones are.
        public var recordedRequests = 10_000
        /// The most bytes kept of the content of one request.
        public var recordedBodySize = 1 << 20
        /// The most bytes kept of the content of all requests together.
        public var recordedBodySizeInAll = 64 << 20
        /// The most bytes of a request's content that are read when its route has not read them. Behind a longer one the
        /// connection is closed.
        public var drainedBodySize = 1 << 20

        /// The bounds as they are by default.
        public init() {}
    }
}
