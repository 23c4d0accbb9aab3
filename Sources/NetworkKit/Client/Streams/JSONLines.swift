internal import PlatformBase

/// The values of an answer that has one in JSON on each line (NDJSON, JSON Lines), each as soon as its line has come.
///
/// ```swift
/// for try await trade in client.jsonLines(for: Trades(), as: Trade.self) { show(trade) }
/// ```
///
/// Lines end with LF; a CR before it is white space of JSON. Lines of white space alone are passed over, and counted. A line that isn't
/// the model ends the sequence with ``RequestError/decode(_:)``, whose `line` is its number and whose `excerpt` is its text.
public struct JSONLines<Model: Decodable & Sendable>: AsyncSequence, Sendable {
    /// The value of a line.
    public typealias Element = Model
    /// A status that means failure, what ends the transfer early, a line that isn't the model, and ``RequestError/stream(_:)`` for one
    /// that is too long.
    public typealias Failure = RequestError

    let limit: Int
    let decoder: any ResponseDecoder
    let open: StreamOpening

    /// Begins to read.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(reader: LineReader(limit: limit, ending: .lineFeed, open: open), decoder: decoder)
    }

    /// Reads values. Letting go of it ends the transfer.
    public struct AsyncIterator: AsyncIteratorProtocol {
        var reader: LineReader
        let decoder: any ResponseDecoder

        /// The next value, or `nil` at the end.
        public mutating func next() async throws(RequestError) -> Model? { try await next(isolation: nil) }

        /// The next value, or `nil` at the end.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(RequestError) -> Model? {
            while let line = try await reader.next(isolation: actor, JSONLine.data) {
                guard let line else { continue }
                do throws(RequestError) {
                    return try await JSONLine.model(Model.self, line, number: reader.number, head: reader.head, decoder: decoder)
                } catch {
                    throw reader.fail(error)
                }
            }
            return nil
        }
    }
}

/// One line of JSON.
private enum JSONLine {
    /// The bytes, or `nil` for a line of white space (RFC 8259 §2).
    static func data(_ line: UnsafeRawBufferPointer) -> Data? {
        line.allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D } ? nil : Data(line)
    }

    /// The value of a line. Models are made off the caller's actor, as they are for other calls.
    @concurrent
    static func model<Model: Decodable & Sendable>(
        _ type: Model.Type, _ line: Data, number: Int, head: ResponseHead?, decoder: any ResponseDecoder
    ) async throws(RequestError) -> Model {
        guard let head else { throw .unknown(.init(reason: "there is a line before there is an answer")) }
        do throws(RequestError) {
            return try await ModelDecoding.offLoop(type, from: line, head: head, decoder: decoder)
        } catch {
            throw error.atLine(number, StreamExcerpt.text(line))
        }
    }
}

extension RequestError {
    /// What is wrong with a line's value, with the line's number and text.
    fileprivate func atLine(_ number: Int, _ text: String) -> RequestError {
        guard case .decode(let details) = self else { return self }
        var (facts, story) = (details.facts, details.story)
        facts.line = number
        facts.excerpt = text
        story.reason = "line \(number): \(story.reason)"
        return .decode(.init(facts, story: story))
    }
}
