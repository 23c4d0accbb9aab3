import PlatformBase
import Testing

@testable import NetworkKit

@Suite("A body on its way to a sink")
struct UploadWritingTests {
    /// Gives what it is told to, one thing after the other.
    private final class Source: UploadSource {
        enum Move: Sendable {
            case bytes([UInt8])
            case nothing
            case end
            case failure
        }

        private let moves: Lock<[Move]>
        init(_ moves: [Move]) { self.moves = Lock(moves) }

        func read(into buffer: UnsafeMutableRawBufferPointer) -> UploadReading {
            switch moves.withLock({ $0.isEmpty ? .nothing : $0.removeFirst() }) {
            case .bytes(let bytes):
                buffer.copyBytes(from: bytes)
                return .bytes(bytes.count)
            case .nothing: return .nothingYet
            case .end: return .end
            case .failure: return .failure(.encode(.init(reason: "the source is broken")))
            }
        }

        func end(_ result: Result<Void, RequestError>) {}
    }

    /// Takes so many bytes at once, as long as it has room.
    private final class Sink: UploadSink {
        var room: Int
        let most: Int
        /// What it says when it takes nothing more.
        var refusal: Int?
        private(set) var taken: [UInt8] = []
        private(set) var writes = 0

        init(room: Int = .max, most: Int = .max) {
            self.room = room
            self.most = most
        }

        var hasRoom: Bool { room > 0 || refusal != nil }

        func write(_ bytes: UnsafeRawBufferPointer) -> Int {
            writes += 1
            if let refusal { return refusal }
            let count = min(bytes.count, room, most)
            taken += bytes.prefix(count)
            room -= count
            return count
        }
    }

    private func name(_ step: UploadWriting.Step) -> String {
        switch step {
        case .full: "full"
        case .nothingYet: "nothing yet"
        case .whole: "whole"
        case .failed: "failed"
        case .refused: "refused"
        }
    }

    @Test("All bytes arrive in order, however few are taken at once, and only then the body is whole", arguments: [1, 3, 1000])
    func whole(most: Int) {
        let bytes = (0..<5000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let source = Source([.bytes(Array(bytes[..<1])), .bytes(Array(bytes[1..<4000])), .bytes(Array(bytes[4000...])), .end])
        let sink = Sink(most: most)
        var writing = UploadWriting()
        #expect(name(writing.run(from: source, to: sink)) == "whole")
        #expect(sink.taken == bytes)
    }

    @Test("A sink without room isn't written to, so that nobody waits in it; what is left is written when there is room again")
    func full() {
        let source = Source([.bytes([1, 2, 3, 4, 5]), .end])
        let sink = Sink(room: 0)
        var writing = UploadWriting()
        #expect(name(writing.run(from: source, to: sink)) == "full")
        #expect(name(writing.run(from: source, to: sink)) == "full")
        #expect(sink.writes == 0)
        sink.room = 3
        #expect(name(writing.run(from: source, to: sink)) == "full")
        #expect(sink.taken == [1, 2, 3])
        sink.room = 3
        #expect(name(writing.run(from: source, to: sink)) == "whole")
        #expect(sink.taken == [1, 2, 3, 4, 5])
    }

    @Test("A source that has nothing yet is no end")
    func nothingYet() {
        let source = Source([.nothing, .bytes([1]), .nothing, .bytes([2]), .end])
        let sink = Sink()
        var writing = UploadWriting()
        let steps = (0..<3).map { _ in name(writing.run(from: source, to: sink)) }
        #expect(steps == ["nothing yet", "nothing yet", "whole"])
        #expect(sink.taken == [1, 2])
    }

    @Test("A source that fails in mid-body is a failure, and never a whole body")
    func broken() {
        let source = Source([.bytes([1]), .failure])
        var writing = UploadWriting()
        guard case .failed(.encode(let details)) = writing.run(from: source, to: Sink()) else { return #expect(Bool(false)) }
        #expect(details.reason == "the source is broken")
    }

    @Test("A sink that takes nothing any more is told apart from one that is full, and from an end", arguments: [0, -1])
    func refused(count: Int) {
        let sink = Sink()
        sink.refusal = count
        var writing = UploadWriting()
        #expect(name(writing.run(from: Source([.bytes([1]), .end]), to: sink)) == "refused")
    }

    @Test("A body without bytes is whole, also where there is no room")
    func empty() {
        var writing = UploadWriting()
        #expect(name(writing.run(from: Source([.end]), to: Sink(room: 0))) == "whole")
    }
}
