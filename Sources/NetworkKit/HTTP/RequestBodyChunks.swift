public import PlatformBase

extension RequestBody {
    /// The bytes of the body as they are to be sent, for a transport of one's own.
    ///
    /// ```swift
    /// let request = try request.checked()
    /// if let body = request.body {
    ///     for try await chunk in body.chunks() { try await connection.write(chunk) }
    /// }
    /// ```
    ///
    /// A stream that can be read once throws ``RequestError/notReplayable(_:)`` when it has been; what the body's own source throws
    /// comes as it is.
    public func chunks() -> Chunks { Chunks(body: self) }

    /// The bytes of a body: see ``chunks()``.
    public struct Chunks: AsyncSequence, Sendable {
        /// A piece of the body.
        public typealias Element = Data
        let body: RequestBody

        /// Begins to read the body.
        public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(body: body) }

        /// Reads a body piece by piece.
        public struct AsyncIterator: AsyncIteratorProtocol {
            let body: RequestBody
            private var reader: AsyncReader?
            private var isDone = false

            init(body: RequestBody) { self.body = body }

            /// The next piece, or `nil` at the end.
            public mutating func next() async throws -> Data? { try await next(isolation: nil) }

            /// The next piece, or `nil` at the end.
            public mutating func next(isolation actor: isolated (any Actor)?) async throws -> Data? {
                if let reader { return try await reader.next() }
                guard !isDone else { return nil }
                isDone = true
                let content = try body.encoded(by: .json).content
                if case .data(let data) = content { return data.isEmpty ? nil : data }
                guard let chunks = content.chunks else { return nil }
                let reader = try await chunks.open()
                self.reader = reader
                return try await reader.next()
            }
        }
    }
}
