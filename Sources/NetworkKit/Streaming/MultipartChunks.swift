internal import PlatformBase

/// The bytes of a form, part by part.
struct MultipartChunks: AsyncSequence, Sendable {
    typealias Element = Data

    let segments: [MultipartBody.Segment]

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(rest: segments[...]) }

    struct AsyncIterator: AsyncIteratorProtocol {
        private var rest: ArraySlice<MultipartBody.Segment>
        /// The body that is being read, of which part, and how many bytes it still promises.
        private var chunks: RequestBody.Chunks.AsyncIterator?
        private var name = ""
        private var missing: Int64?

        init(rest: ArraySlice<MultipartBody.Segment>) { self.rest = rest }

        mutating func next() async throws -> Data? { try await next(isolation: nil) }

        mutating func next(isolation actor: isolated (any Actor)?) async throws -> Data? {
            while true {
                if chunks != nil {
                    if let chunk = try await chunks?.next(isolation: actor) {
                        if let left = missing { missing = left - Int64(chunk.count) }
                        // A part that is too long is found before a byte of it is taken for one of the next.
                        if let left = missing, left < 0 { throw fault("more") }
                        return chunk
                    }
                    chunks = nil
                    if let left = missing, left > 0 { throw fault("fewer") }
                }
                guard let segment = rest.popFirst() else { return nil }
                switch segment {
                case .bytes(let data): return data
                case .body(let body, let name):
                    self.name = name
                    missing = body.length
                    chunks = body.chunks().makeAsyncIterator()
                }
            }
        }

        private func fault(_ what: String) -> RequestError {
            .encode(.init(.init(part: .framing), reason: "the part \(Token.quoted(name)) has \(what) bytes than it said it would have"))
        }
    }
}
