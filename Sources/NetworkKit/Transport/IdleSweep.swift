/// When to look for connections that nobody has used for too long. Pure: whoever asks brings the time.
struct IdleSweep {
    /// libcurl looks no more than once a second, so that it may pass over a look that follows another, or a request.
    static let interval = Duration.milliseconds(1100)

    /// libcurl counts in whole seconds, and keeps a connection in the last of them.
    private let patience: Duration
    private var lastUse = Duration.zero
    /// When to look next; `nil` while no connection can be idle.
    private(set) var due: Duration?

    init(lifetime: Duration) { patience = .seconds(Self.seconds(lifetime) + 1) }

    /// What libcurl takes for a lifetime.
    static func seconds(_ lifetime: Duration) -> Int { Int(min(max(0, lifetime.components.seconds), Int64(Int32.max) - 1)) }

    /// A connection may have become idle.
    mutating func connectionUsed(at now: Duration) {
        lastUse = now
        if due == nil { due = now + patience }
    }

    /// Whether it is time to look. It is again until the connection that was used last is too old, and once more.
    mutating func isDue(at now: Duration) -> Bool {
        guard let due, now >= due else { return false }
        let isOver = now >= lastUse + patience + Self.interval
        self.due = isOver ? nil : max(lastUse + patience, now + Self.interval)
        return true
    }
}
