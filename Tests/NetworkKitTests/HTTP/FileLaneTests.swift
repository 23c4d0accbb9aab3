import Testing

@testable import NetworkKit

@Suite("File work in order")
struct FileLaneTests {
    @Test("Jobs are done one after the other, in the order in which they were added")
    func order() async throws {
        let lane = FileLane()
        let done = Recorder<Int>()
        for number in 0..<500 { lane.add { done.add(number) } }
        try await lane.run { () throws(RequestError) in done.add(500) }
        #expect(done.values == Array(0...500))
    }

    @Test("Files that are always behind don't hold up the others", .timeLimit(.minutes(1)))
    func turns() async throws {
        let isOver = OnceFlag()
        // More than there are threads, each with another job to do whenever one is done.
        let lanes = (0..<3).map { _ in FileLane() }
        @Sendable func work(_ lane: FileLane) { lane.add { if !isOver.isSet { work(lane) } } }
        for lane in lanes { work(lane) }
        #expect(try await FileWork.run { () throws(RequestError) in 7 } == 7)
        #expect(isOver.set())
        for lane in lanes { try await lane.run { () throws(RequestError) in } }
    }

    @Test("A job's error is its caller's, and the next job is done")
    func errors() async throws {
        let lane = FileLane()
        let error = await failure { () async throws(RequestError) in
            try await lane.run { () throws(RequestError) -> Int in throw .file(.init(reason: "no disk")) }
        }
        guard case .file = error else { throw error ?? .unknown() }
        #expect(try await lane.run { () throws(RequestError) in 7 } == 7)
    }
}
