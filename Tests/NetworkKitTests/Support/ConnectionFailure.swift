import NetworkKit
import Testing

/// The facts of a call that a connection failed for; records an issue when it ended otherwise.
func connectionFailure<Value>(
    of result: Result<Value, RequestError>, sourceLocation: SourceLocation = #_sourceLocation
) throws -> (kind: RequestError.Connection.Kind, reason: String) {
    guard case .failure(.connection(let details)) = result else {
        Issue.record("no failed connection: \(result)", sourceLocation: sourceLocation)
        throw NoConnectionFailure()
    }
    return (details.kind, details.reason)
}

private struct NoConnectionFailure: Error {}
