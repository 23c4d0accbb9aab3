/// Why a program ends without having done what it was asked: one line for a person, one number for a script.
public struct Failure: Error, Sendable, Equatable {
    /// The number.
    public let status: ExitCode
    /// The line. It holds no secret and nothing that a terminal would obey.
    public let message: String

    /// A failure. Line ends and control characters in the message become spaces, since a server may have written a part of it.
    public init(_ status: ExitCode, _ message: String) {
        self.status = status
        self.message = TextLayout.printable(message)
    }

    /// A fault in the command line or the configuration.
    public static func usage(_ message: String) -> Failure { Failure(.usage, message) }
}
