internal import PlatformBase

/// Until when at least one of the calls that share an exchange may still wait for it, on the clock of the exchange's context.
///
/// Such an exchange is ended by the last call that leaves it, and by no instant. Whoever asks whether a wait is worth beginning
/// gets his answer here.
final class SharedDeadline: Sendable {
    private let state: Lock<Duration?>

    /// - Parameter deadline: that of the first call; `nil` when it may take any time.
    init(_ deadline: Duration?) { state = Lock(deadline) }

    /// The latest deadline of all; `nil` when one of them may take any time.
    var latest: Duration? { state.withLock { $0 } }

    /// Takes a call in.
    func extend(to deadline: Duration?) {
        state.withLock { latest in
            guard let known = latest else { return }
            latest = deadline.map { max($0, known) }
        }
    }
}
