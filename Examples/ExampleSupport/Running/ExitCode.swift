/// How a program ends: what a script that runs it can rely on.
public enum ExitCode: Int32, Sendable, CaseIterable {
    /// All that was asked for was printed.
    case success = 0
    /// A failure of no other kind.
    case failure = 1
    /// The command line or the configuration is wrong; nothing was sent.
    case usage = 2
    /// There is no such place or movie.
    case notFound = 3
    /// The server can't be reached, or didn't answer in time.
    case noNetwork = 4
    /// The server refused the key.
    case refusedKey = 5
    /// The server wants fewer requests.
    case rateLimit = 6
    /// The answer isn't what it should be.
    case undecodable = 7
    /// The server answered with an error.
    case server = 8

    /// What the status means, for the help.
    public var meaning: String {
        switch self {
        case .success: "all that was asked for was printed"
        case .failure: "a failure of no other kind"
        case .usage: "a wrong command line or configuration; nothing was sent"
        case .notFound: "no such place or movie"
        case .noNetwork: "the server can't be reached, or didn't answer in time"
        case .refusedKey: "the server refused the key"
        case .rateLimit: "the server wants fewer requests; the message says when to try again"
        case .undecodable: "the answer can't be read; the message says where"
        case .server: "the server answered with an error"
        }
    }
}
