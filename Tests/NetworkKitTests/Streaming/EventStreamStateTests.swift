import Foundation
import Testing

@testable import NetworkKit

@Suite("What becomes of an event stream")
struct EventStreamStateTests {
    private func head(_ status: HTTPStatus = 200, _ type: String? = "text/event-stream") -> ResponseHead {
        ResponseHead(status: status, headers: type.map { [.contentType: $0] } ?? [:], url: url("https://h.test/"))
    }

    private func delay(_ step: EventStreamState.Step, sourceLocation: SourceLocation = #_sourceLocation) -> Duration? {
        guard case .reconnect(let delay) = step else {
            Issue.record("\(step)", sourceLocation: sourceLocation)
            return nil
        }
        return delay
    }

    private static let reset = RequestError.connection(.init(.init(kind: .reset)))

    @Test(
        "An event stream is what says so",
        arguments: [
            "text/event-stream", "text/event-stream; charset=windows-1252", "text/event-stream;foo=bar", "text/event-stream;",
            "TEXT/Event-Stream",
        ])
    func type(_ type: String) throws {
        var state = EventStreamState(policy: .standard, isSafe: true)
        #expect(try state.opened(head(200, type)))
    }

    @Test("Another type fails for good", arguments: ["text/plain", "text/x-bogus", "", "text/event-stream-x", "application/json", nil])
    func otherType(_ type: String?) {
        var state = EventStreamState(policy: .standard, isSafe: true)
        guard case .stream? = failure(of: { () throws(RequestError) in try state.opened(head(200, type)) }) else {
            return #expect(Bool(false), "\(type ?? "none") is taken")
        }
    }

    @Test("204 says that there is no more; any other status but 200 fails for good")
    func status() throws {
        var state = EventStreamState(policy: .standard, isSafe: true)
        #expect(try !state.opened(head(204, nil)))
        for status in [201, 205, 206, 210, 299] {
            #expect(failure(of: { () throws(RequestError) in try state.opened(head(HTTPStatus(status))) })?.statusCode?.code == status)
        }
    }

    @Test("The wait is the server's, else the policy's, and what is drawn of the jitter on top")
    func delays() throws {
        var state = EventStreamState(policy: .init(delay: .seconds(2), jitter: 0.5), isSafe: true)
        for (retry, random, expected) in [
            (nil, 0, .seconds(2)), (nil, 1, .seconds(3)), (Duration.milliseconds(300), 0, .milliseconds(300)),
            (.milliseconds(300), 0.5, .milliseconds(375)), (.zero, 1, .zero), (.seconds(600), 0, .seconds(600)),
        ] as [(Duration?, Double, Duration)] {
            #expect(try state.opened(head()))
            state.received()
            state.receivedEvent()
            #expect(delay(state.ended(nil, retry: retry, random: random)) == expected)
        }
    }

    @Test("A server that wants no wait and says nothing isn't asked in a circle")
    func circle() throws {
        var state = EventStreamState(policy: .init(jitter: 0), isSafe: true)
        #expect(try state.opened(head()))
        state.received()
        #expect(delay(state.ended(nil, retry: .zero, random: 0)) == .milliseconds(100))
        #expect(try state.opened(head()))
        #expect(delay(state.ended(nil, retry: .zero, random: 0)) == .milliseconds(200))
    }

    @Test("The wait doubles with each connection that brings nothing, up to the longest, and begins anew with a byte")
    func backoff() throws {
        var state = EventStreamState(policy: .init(delay: .seconds(1), maximumDelay: .seconds(10), jitter: 0), isSafe: true)
        _ = try state.opened(head())
        state.received()
        let waits = (0..<6).map { _ in delay(state.ended(Self.reset, retry: nil, random: 0)) }
        #expect(waits == [1, 2, 4, 8, 10, 10].map { .seconds($0) })
        #expect(delay(state.ended(Self.reset, retry: .seconds(20), random: 0)) == .seconds(20))
        _ = try state.opened(head())
        state.received()
        #expect(delay(state.ended(nil, retry: nil, random: 0)) == .seconds(1))
        for _ in 0..<100 { #expect(delay(state.ended(Self.reset, retry: nil, random: 0)) ?? .zero <= .seconds(10)) }
    }

    @Test("What won't pass by itself fails for good, and so does a stream that was never open")
    func final() throws {
        var state = EventStreamState(policy: .standard, isSafe: true)
        guard case .fail = state.ended(Self.reset, retry: nil, random: 0) else { return #expect(Bool(false), "never open") }
        var patient = EventStreamState(policy: .init(retriesFirstConnection: true), isSafe: true)
        #expect(delay(patient.ended(Self.reset, retry: nil, random: 0)) == .seconds(6))
        _ = try state.opened(head())
        for error: RequestError in [
            .connection(.init(.init(kind: .tls))), .timedOut(.init(.init(limit: .deadline))), .cancelled(), .unauthorized(), .invalidURL(),
            .unexpectedStatusCode(.init(response: FailedResponse(head: head(503)))), .stream(), .redirect(), .authentication(),
        ] {
            guard case .fail = state.ended(error, retry: nil, random: 0) else { return #expect(Bool(false), "\(error)") }
        }
        for error: RequestError in [
            Self.reset, .connection(.init(.init(kind: .truncated))), .connection(.init(.init(kind: .refused))), .timedOut(), .rejected(),
        ] {
            #expect(delay(state.ended(error, retry: nil, random: 0)) != nil)
        }
    }

    @Test("A number of attempts bounds how many connections in a row bring nothing")
    func attempts() throws {
        var state = EventStreamState(policy: .init(maximumAttempts: 2), isSafe: true)
        _ = try state.opened(head())
        state.received()
        #expect(delay(state.ended(nil, retry: nil, random: 0)) != nil)
        #expect(delay(state.ended(Self.reset, retry: nil, random: 0)) != nil)
        guard case .fail(.connection) = state.ended(Self.reset, retry: nil, random: 0) else { return #expect(Bool(false)) }
    }

    @Test("A request that isn't safe is never sent again: its end is the end, its fault a failure")
    func unsafe() throws {
        for var state in [EventStreamState(policy: .standard, isSafe: false), EventStreamState(policy: .once, isSafe: true)] {
            _ = try state.opened(head())
            state.received()
            guard case .finish = state.ended(nil, retry: .zero, random: 0) else { return #expect(Bool(false)) }
            guard case .fail(.connection) = state.ended(Self.reset, retry: .zero, random: 0) else { return #expect(Bool(false)) }
        }
    }
}
