internal import PlatformBase

// `Expect: 100-continue` (RFC 9110 §10.1.1): the server says whether it wants the body before the body is sent.

extension HTTPRequest {
    private static let expectation = "100-continue"
    /// How long a body waits whose request has the field from its maker, who said nothing of the time. A server that knows the field answers
    /// within a round trip; one that doesn't says nothing.
    private static let standardWait = Duration.seconds(1)

    /// Adds the field where ``RequestOptions/expectContinueTimeout`` asks for it, and there is a body to wait.
    mutating func expectContinue() {
        guard options.expectContinueTimeout != nil, let body, body.length != 0, !headers.contains(.expect) else { return }
        append(HTTPField(name: .expect, value: Self.expectation), isFit: true)
    }

    /// How long the body waits for the server to ask for it; `nil` when it doesn't wait.
    var continueWait: Duration? {
        guard let body, body.length != 0, headers[.expect]?.lowercased() == Self.expectation else { return nil }
        return max(options.expectContinueTimeout ?? Self.standardWait, .zero)
    }

    /// The request as it is sent again when a server has refused to be asked (417), which is to say nothing of the request itself; `nil`
    /// where it didn't ask, or its body is gone.
    var withoutExpectation: HTTPRequest? {
        guard headers.contains(.expect), body?.isLeft ?? true else { return nil }
        var request = self
        request.headers.removeAll(.expect)
        request.options.expectContinueTimeout = nil
        return request
    }
}
