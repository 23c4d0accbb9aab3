internal import PlatformBase

/// When a circuit breaker stops sending to a host, and when it tries again.
///
/// The numbers are those that Hystrix made common: half of at least 20 requests in 10 seconds, and a try after 5.
public struct CircuitBreakerPolicy: Sendable {
    /// What share of the requests must have failed, from 0 to 1. Default 0.5.
    public var failureRatio: Double
    /// How many requests there must have been in ``window``, so that one failure of one isn't all of them. Default 20.
    public var minimumRequests: Int
    /// How far back outcomes count. Default 10 s.
    public var window: Duration
    /// How long nothing is sent before one request is let through to try. Default 5 s.
    public var openFor: Duration
    /// The statuses that are failures. Default: 500, 502, 503 and 504.
    public var failureStatuses: Set<Int>

    /// A policy. Values out of bounds are taken for the nearest that is within.
    public init(
        failureRatio: Double = 0.5, minimumRequests: Int = 20, window: Duration = .seconds(10), openFor: Duration = .seconds(5),
        failureStatuses: Set<Int> = [500, 502, 503, 504]
    ) {
        self.failureRatio = failureRatio
        self.minimumRequests = minimumRequests
        self.window = window
        self.openFor = openFor
        self.failureStatuses = failureStatuses
    }
}

/// What an exchange says of its host.
enum HostOutcome: Sendable {
    /// It answers.
    case success
    /// It doesn't, or says that it can't.
    case failure
    /// Nothing: the request was taken back, or never left.
    case nothing
}

extension CircuitBreakerPolicy {
    func outcome(of status: HTTPStatus) -> HostOutcome { failureStatuses.contains(status.code) ? .failure : .success }

    /// No connection, one that broke off, no answer, and a timeout are failures. A deadline that passes while the request is under way
    /// is one too: for a call that has less time than an attempt may take, it is the only sign of a host that hangs.
    ///
    /// A request that was cancelled, or refused or still queued on this side, says nothing; nor does an answer that the caller
    /// couldn't use.
    func outcome(of error: RequestError) -> HostOutcome {
        if error.story?.wasQueued == true { return .nothing }
        switch error {
        case .connection, .noResponse, .timedOut: return .failure
        case .unexpectedStatusCode: return error.statusCode.map(outcome(of:)) ?? .nothing
        default: return .nothing
        }
    }
}
