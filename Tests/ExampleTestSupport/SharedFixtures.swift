public import PlatformBase

/// Recorded answers of the real services, which lie beside a working copy and are no part of it: they aren't ours to publish.
public enum SharedFixtures {
    /// What a test that needs them says when it is skipped.
    public static let missing: String = "there are no recordings at ../shared/fixtures"

    private static let directory = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "../shared/fixtures")

    /// Whether they are there.
    public static var exist: Bool { data("tmdb_configuration.json") != nil }

    /// The bytes of one, or `nil` when it isn't there.
    public static func data(_ name: String) -> Data? { try? Data(contentsOf: directory.appending(path: name)) }
}
