internal import PlatformBase

/// A user's work that gets a credential: asking for a token, refreshing one. While it runs, requests that it sends itself must not wait
/// for the credential, or they would wait for themselves.
final class CredentialWork: Sendable {
    @TaskLocal private static var current: CredentialWork?

    private let owner: ObjectIdentifier
    private let outer: CredentialWork?
    // A task that the work leaves behind is no part of it any more.
    private let isOver = Atomic(false)

    private init(_ owner: ObjectIdentifier, in outer: CredentialWork?) {
        self.owner = owner
        self.outer = outer
    }

    /// Whether the current task is part of work for a credential.
    static func isRunning(for owner: AnyObject) -> Bool {
        var work = current
        while let each = work {
            if each.owner == ObjectIdentifier(owner) && !each.isOver.load(ordering: .acquiring) { return true }
            work = each.outer
        }
        return false
    }

    /// Does the work.
    static func run<Value: Sendable>(for owner: AnyObject, _ work: @Sendable () async throws -> Value) async throws -> Value {
        let this = CredentialWork(ObjectIdentifier(owner), in: current)
        defer { this.isOver.store(true, ordering: .releasing) }
        return try await $current.withValue(this, operation: work)
    }
}
