import Testing

/// For what can be judged only on a machine that doesn't stand still: that a server which says something now and then isn't taken for a
/// silent one. Where the time is the test's own, it turns a `TestClock` instead.
enum Unhurried {
    /// Tries at several paces, each slower than the one before. What holds at one of them holds: a wrong answer is wrong at each.
    static func judge(_ holds: (_ pace: Int) async throws -> Bool, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        for pace in [1, 2, 5, 10] {
            if try await holds(pace) { return }
            print("at pace \(pace) it didn't hold; once more, and slower")
        }
        Issue.record("it held at no pace", sourceLocation: sourceLocation)
    }
}
