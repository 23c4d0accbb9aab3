/// When to look for connections that nobody has used for too long. Pure: whoever asks brings the time.
struct IdleSweep {
    /// libcurl counts in whole seconds, and keeps a connection in the last of them.
    private let patience: Duration
    private var lastUse = Duration.zero
    /// When to look next; `nil` while no connection can be idle.
    private(set) var due: Duration?

    init(lifetime: Duration) { patience = .seconds(max(0, lifetime.components.seconds) + 1) }

    /// A connection may have become idle.
    mutating func connectionUsed(at now: Duration) {
        lastUse = now
        if due == nil { due = now + patience }
    }

    /// Whether it is time to look. If so, the next time is when the connection that was used last will be too old.
    mutating func isDue(at now: Duration) -> Bool {
        guard let due, now >= due else { return false }
        let next = lastUse + patience
        self.due = next > now ? next : nil
        return true
    }
}
