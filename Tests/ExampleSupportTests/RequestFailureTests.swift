import ExampleSupport
import NetworkKit
import PlatformBase
import Testing

@Suite struct RequestFailureTests {
    // Sun, 06 Nov 1994 08:49:37 GMT
    private let now = Date(timeIntervalSince1970: 784_111_777)

    private func response(_ status: HTTPStatus, _ fields: HTTPFields = [:]) throws -> FailedResponse {
        FailedResponse(head: ResponseHead(status: status, headers: fields, url: try #require(URL(string: "https://example.com"))))
    }

    private func failure(_ error: RequestError, words: String? = nil) -> Failure {
        var secrets = SecretValues()
        secrets.insert("hunter22/key")
        return Failure(error, server: "The server", key: "A_KEY", hiding: secrets, words: words, now: now)
    }

    @Test func `a key that the server says back is shown nowhere, whole or cut off`() throws {
        let problem = FailedResponse(
            head: ResponseHead(
                status: 500, headers: ["Content-Type": "application/problem+json"], url: try #require(URL(string: "https://example.com"))),
            body: Data(#"{"detail": "No key hunter22/key"}"#.utf8))
        for status in [HTTPStatus(403), 404, 429, 500] {
            let failure = failure(.unexpectedStatusCode(.init(response: try response(status))), words: "no hunter22%2Fkey")
            #expect(failure.message.contains("It says: no ***."), "\(failure.message)")
        }
        for error in [
            RequestError.unauthorized(.init(reason: "hunter22/key")), .unexpectedStatusCode(.init(response: problem)),
            .decode(.init(.init(codingPath: "hunter22/key"), reason: "no model: hunter22/key")),
            .invalidURL(.init(reason: "no URL: hunter22/key")),
        ] {
            #expect(!failure(error).message.contains("hunter22"), "\(error)")
            // The mask stands where the line is cut off.
            #expect(!failure(error, words: String(repeating: "x", count: 192) + " hunter22/key").message.contains("hunt"))
        }
        #expect(
            failure(.unexpectedStatusCode(.init(response: problem))).message
                == "The server answered with 500 Internal Server Error. It says: No key ***.")
    }

    @Test func `a refused key names the variable to check`() throws {
        #expect(failure(.unauthorized()) == Failure(.refusedKey, "The server refused the key. Check A_KEY."))
        #expect(
            failure(.unauthorized(), words: "Invalid\nkey")
                == Failure(.refusedKey, "The server refused the key. It says: Invalid key. Check A_KEY."))
        let forbidden = failure(.unexpectedStatusCode(.init(response: try response(403))))
        #expect(forbidden.status == .refusedKey)
    }

    @Test(arguments: [
        ("30", "Try again in 30 seconds."), ("0", "Try again now."), ("-5", "It doesn't say when to try again: wait a minute."),
        ("600", "Try again in 10 minutes."),
        ("7300", "Try again in 3 hours."), ("999999", "Try again in 12 days."), ("9223372036854775807", "Try again in 3650 days."),
        ("Sun, 06 Nov 1994 08:50:37 GMT", "Try again in 60 seconds."), ("Sun, 06 Nov 1994 07:00:00 GMT", "Try again now."),
        ("soon", "It doesn't say when to try again: wait a minute."),
        ("Sun, 06 Nov 99999999999999 08:50:37 GMT", "It doesn't say when to try again: wait a minute."),
        ("Sun, 06 Nov 1994 9223372036854775807:49:37 GMT", "It doesn't say when to try again: wait a minute."),
        ("Sun, 9223372036854775807 Nov 1994 08:49:37 GMT", "It doesn't say when to try again: wait a minute."),
        ("Sun, 06 Nov 1994 08:-9223372036854775808:9223372036854775807 GMT", "It doesn't say when to try again: wait a minute."),
        ("Fri, 31 Dec 9999 23:59:59 GMT", "Try again in 3650 days."),
    ])
    func `a rate limit says when to try again`(field: String, advice: String) throws {
        let failure = failure(.unexpectedStatusCode(.init(response: try response(429, ["Retry-After": field]))))
        #expect(failure == Failure(.rateLimit, "The server wants fewer requests. \(advice)"))
    }

    @Test func `a rate limit is read from the gateway's field where there is no other`() throws {
        let failure = failure(.unexpectedStatusCode(.init(response: try response(429, ["Ratelimit-Reset": "86400"]))))
        #expect(failure.message == "The server wants fewer requests. Try again in 24 hours.")
    }

    @Test func `an answer that can't be decoded says where`() {
        let error = RequestError.decode(.init(.init(codingPath: "results[3].id", expectedType: "Int"), reason: "it is a string"))
        #expect(
            failure(error)
                == Failure(.undecodable, "The answer of The server can't be read at results[3].id, where Int is expected: it is a string"))
    }

    @Test func `every kind of failure has a status and one line`() throws {
        let kinds: [(RequestError, ExitCode)] = [
            (.connection(.init(.init(kind: .nameLookup))), .noNetwork), (.connection(.init(.init(kind: .tls))), .noNetwork),
            (.connection(.init(.init(kind: .malformed))), .undecodable), (.timedOut(), .noNetwork), (.noResponse(), .noNetwork),
            (.unexpectedStatusCode(.init(response: try response(500))), .server),
            (.unexpectedStatusCode(.init(response: try response(404))), .notFound),
            (.rejected(.init(.init(retryAfter: .seconds(4)))), .rateLimit), (.invalidURL(), .usage), (.cancelled(), .failure),
            (.responseTooLarge(), .failure), (.unknown(), .failure),
        ]
        for (error, status) in kinds {
            let failure = failure(error, words: "one\ntwo\u{1B}[31m")
            #expect(failure.status == status)
            #expect(!failure.message.isEmpty)
            #expect(failure.message.unicodeScalars.allSatisfy { $0.value >= 0x20 })
        }
    }
}
