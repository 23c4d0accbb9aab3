import PlatformBase

/// Remembers in which order things ran.
final class Ran: Sendable {
    private let noted = Lock<[String]>([])
    var texts: [String] { noted.withLock { $0 } }
    func note(_ text: String) { noted.withLock { $0.append(text) } }
}
