internal import PlatformBase

/// The path of a Unix-domain socket, found to be one that a socket can have.
struct UnixSocketPath {
    let text: String

    /// The longest path, in bytes: what the system's address has room for, less the NUL at its end.
    static let limit = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1

    /// - Throws: ``RequestError/connection(_:)`` that says what is wrong.
    init(_ text: String) throws(RequestError) {
        guard !text.isEmpty, !text.utf8.contains(0) else { throw .setUp(.other, "the path of a Unix socket is empty, or has a NUL in it") }
        guard !text.contains("://") else {
            throw .setUp(.other, "\(Token.quoted(text)) is a URL; the path of a Unix socket is one such as /var/run/docker.sock")
        }
        let length = text.utf8.count
        guard length <= Self.limit else {
            throw .setUp(
                .other,
                "the path of the Unix socket \(Token.quoted(text, limit: 200)) is too long: \(length) bytes, where a socket's path has at most "
                    + "\(Self.limit); make the socket nearer to the root, or give the path relative to the working directory")
        }
        self.text = text
    }
}
