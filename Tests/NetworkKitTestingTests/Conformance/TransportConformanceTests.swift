#if canImport(Glibc) || canImport(Musl)
import NetworkKit
import NetworkKitTesting
import Testing

/// The kit itself: a fault in a transport makes the cases fail that are about it, and no others of the same areas.
@Suite("TransportConformance", .serialized)
struct TransportConformanceTests {
    /// A fault, the areas whose cases are run, and the names of those that must fail.
    struct Fault: Sendable, CustomTestStringConvertible {
        let transport: any BrokenTransport.Type
        let areas: Set<TransportConformance.Area>
        let failures: Set<String>
        var timeLimit: Duration = .seconds(30)

        var testDescription: String { "\(transport)" }
    }

    static let faults = [
        Fault(transport: DropsTrailers.self, areas: [.framing], failures: ["trailers"]),
        Fault(transport: LosesFields.self, areas: [.heads], failures: ["repeated-fields", "set-cookie-apart", "large-head"]),
        Fault(transport: FollowsRedirects.self, areas: [.redirects], failures: ["redirect-delivered", "redirected-post"]),
        Fault(transport: AddsContentType.self, areas: [.uploads, .injection], failures: ["no-content-type"]),
        Fault(
            transport: SendsAgain.self, areas: [.resending],
            failures: ["stale-post", "stale-named", "resent-once", "fresh-not-resent"]),
        Fault(
            transport: TakesShortBodies.self, areas: [.framing, .codings],
            failures: [
                "truncated-length", "truncated-chunk", "missing-last-chunk", "reset-in-body", "truncation-named", "bad-chunk-size",
                "absurd-length",
            ]),
        Fault(
            transport: IgnoresCancellation.self, areas: [.cancellation],
            failures: ["cancelled-before", "cancelled-before-head", "cancelled-in-body", "cancelled-while-sending", "cancelled-alone"],
            timeLimit: .seconds(3)),
    ]

    @Test("A fault fails the cases that are about it", arguments: faults)
    func failing(_ fault: Fault) async {
        let names = TransportConformance.cases.filter { fault.areas.contains($0.area) && !$0.isDemanding }.map(\.name)
        let results = await TransportConformance.run(only: Set(names), timeLimit: fault.timeLimit) { fault.transport.init() }
        #expect(results.map(\.case.name) == names)
        let failures = results.filter(\.isFailure)
        #expect(Set(failures.map(\.case.name)) == fault.failures, "\(failures)")
    }

    @Test("A transport that buffers is held up by what must come piece by piece, and the run goes on")
    func buffering() async {
        let names = ["content-length", "duplex-echo", "head-before-body", "pieces-as-they-come"]
        let results = await TransportConformance.run(only: Set(names), timeLimit: .seconds(4)) { BuffersBodies() }
        #expect(Set(results.filter(\.isFailure).map(\.case.name)) == Set(names.dropFirst()), "\(results)")
        let reasons = results.filter(\.isFailure).map { "\($0)" }
        #expect(reasons.allSatisfy { $0.contains("had not come to an end after") })
    }

    @Test("A transport that never answers, and can't be cancelled, fails every case and holds up none")
    func hanging() async {
        let results = await TransportConformance.run(timeLimit: .milliseconds(20)) { NeverAnswers() }
        #expect(results.count == TransportConformance.cases.count)
        // An impossible method is refused before there is a request to be sent.
        let others = results.filter { !$0.isFailure }
        #expect(others.map(\.case.name) == ["method-injection"], "\(others)")
    }

    @Test("A transport that blocks the threads that call it holds up nobody else")
    func blocking() async {
        let names = ["content-length", "hundreds-at-once", "cancelled-alone", "slow-sender", "not-http", "events"]
        let barrier = BlocksThreads.Barrier()
        let results = await TransportConformance.run(only: Set(names), timeLimit: .milliseconds(100)) { BlocksThreads(barrier: barrier) }
        barrier.lift()
        #expect(results.count == names.count && results.filter(\.isFailure).count == names.count, "\(results)")
    }

    @Test("Without a transport every case fails, and says why")
    func noTransport() async {
        struct Unavailable: Error {}
        let results = await TransportConformance.run { throw Unavailable() }
        #expect(results.count == TransportConformance.cases.count)
        #expect(results.allSatisfy { $0.outcome == .failed("no transport was made: Unavailable()") })
    }

    @Test("A declared exception excuses a failure, and is a failure where there is none")
    func exceptions() async {
        let results = await TransportConformance.run(
            only: ["trailers", "chunked"], exceptions: ["trailers": "not given", "chunked": "not read"]
        ) { DropsTrailers() }
        #expect(results.map(\.case.name) == ["chunked", "trailers"])
        #expect(results.map(\.isFailure) == [true, false])
        #expect(results.first?.outcome == .failed("it passes, and is declared an exception: not read"))
        guard case .excused("not given", let failure) = results.last?.outcome else { return #expect(Bool(false), "\(results)") }
        #expect(failure.contains("X-Checksum"))
    }

    @Test("A name that no case has is a failure, wherever it stands")
    func unknownNames() async {
        let results = await TransportConformance.run(only: ["chunked", "a"], excluding: ["b", "chunked"], exceptions: ["c": ""]) {
            NeverAnswers()
        }
        #expect(results.map(\.case.name) == ["a", "b", "c"])
        #expect(results.allSatisfy { $0.outcome == .failed("no case has this name") })
    }

    @Test("When the run's task is cancelled, the rest is skipped")
    func cancellation() async {
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await TransportConformance.run { NeverAnswers() }
        }
        let results = await task.value
        #expect(results.count == TransportConformance.cases.count)
        #expect(results.allSatisfy { $0.outcome == .skipped("the run was cancelled") })
    }

    @Test("Every case has a name of its own, a rule and a requirement; every area has cases")
    func table() {
        let cases = TransportConformance.cases
        #expect(cases.count > 150)
        #expect(Set(cases.map(\.name)).count == cases.count)
        #expect(Set(cases.map(\.area)) == Set(TransportConformance.Area.allCases))
        #expect(cases.allSatisfy { !$0.rule.isEmpty && !$0.requirement.isEmpty && !$0.requirement.hasSuffix(".") })
        #expect(TransportConformance.case(named: "trailers")?.rule == "RFC 9112 §7.1.2")
        #expect(TransportConformance.case(named: "trailer") == nil)
    }
}
#endif
