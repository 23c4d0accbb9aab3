import Foundation
import NetworkKitTesting
import Testing

@testable import NetworkKit

@Suite("Characters that the chunks cut in two")
struct CutCharactersTests {
    /// Of two, three and four bytes, alone and composed.
    private static let text = "é€豆腐🧵🇨🇭👩‍🚀e\u{301}\u{10FFFF}"

    /// The ways to cut bytes once inside of each character, at each of its bytes; and in all these places at once.
    private static func cuts(_ bytes: Data) -> [[Data]] {
        let inside = bytes.indices.filter { bytes[$0] & 0xC0 == 0x80 }
        #expect(!inside.isEmpty)
        let places = [bytes.startIndex] + inside + [bytes.endIndex]
        return inside.map { [bytes[..<$0], bytes[$0...]] } + [zip(places, places.dropFirst()).map { bytes[$0..<$1] }]
    }

    private func client(_ chunks: [Data], type: String = "text/plain") -> NetworkClient {
        NetworkClient(session: .stubbed(.chunks(chunks, contentType: type), clock: TestClock()))
    }

    @Test("Lines, models and events are whole wherever a chunk ends inside of a character")
    func everyCharacter() async throws {
        let text = Self.text
        for cut in Self.cuts(Data("\(text)\n\(text)".utf8)) {
            var lines: [String] = []
            for try await line in client(cut).lines(for: SampleEndpoint()) { lines.append(line) }
            #expect(lines == [text, text])
        }
        for cut in Self.cuts(Data("[\"\(text)\"]\n".utf8)) {
            var values: [[String]] = []
            for try await value in client(cut).jsonLines(for: SampleEndpoint(), as: [String].self) { values.append(value) }
            #expect(values == [[text]])
        }
        for cut in Self.cuts(Data("id: \(text)\nevent: \(text)\ndata: \(text)\ndata:\(text)\n\n".utf8)) {
            var events: [ServerSentEvent] = []
            for try await event in client(cut, type: "text/event-stream").events(for: SampleEndpoint(), policy: .once) {
                events.append(event)
            }
            #expect(events == [ServerSentEvent(type: text, data: "\(text)\n\(text)", id: text)])
        }
    }
}
