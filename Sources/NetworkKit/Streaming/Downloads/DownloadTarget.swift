internal import PlatformBase

/// Where a download is to end: in a file, or in a folder under the name that the server gives it.
enum DownloadTarget: Sendable {
    case file(URL)
    case folder(URL)

    /// The folder, looked at before anything is sent. It blocks.
    ///
    /// - Returns: its path, and what the partial file in it is called.
    func prepare(replaces: Bool, source: String) throws(RequestError) -> (folder: String, name: String) {
        switch self {
        case .file(let url):
            let path = try Self.path(of: url)
            let folder = Self.folder(of: path)
            try Self.check(folder: folder)
            try Self.check(file: path, replaces: replaces)
            return (folder, Self.name(of: path))
        case .folder(let url):
            let path = try Self.path(of: url)
            try Self.check(folder: path)
            // What it is called isn't known yet.
            return (path, String(source.prefix(32)))
        }
    }

    /// The file.
    ///
    /// - Parameter name: what it is called in a folder.
    func place(name: String) -> URL {
        switch self {
        case .file(let url): url
        case .folder(let url): url.appending(path: name, directoryHint: .notDirectory)
        }
    }

    /// That a file may be made, or replaced. It blocks.
    static func check(file path: String, replaces: Bool) throws(RequestError) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT != S_IFDIR else {
            throw .file(.init(.init(path: path, code: EISDIR), reason: "\(Token.quoted(path)) is a folder, and a file is to be made there"))
        }
        guard replaces else { throw .exists(path) }
    }

    private static func check(folder path: String) throws(RequestError) {
        var status = stat()
        guard stat(path, &status) == 0 else { throw .fileFault(path, "download into") }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            throw .file(.init(.init(path: path, code: ENOTDIR), reason: "\(Token.quoted(path)) is no folder to download into"))
        }
        guard access(path, W_OK | X_OK) == 0 else { throw .fileFault(path, "download into") }
    }

    private static func path(of url: URL) throws(RequestError) -> String {
        let path = url.path
        guard url.isFileURL, !path.isEmpty else {
            throw .file(.init(.init(path: url.absoluteString), reason: "\(Token.quoted(url.absoluteString)) is not the URL of a file"))
        }
        return path
    }

    private static func folder(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    private static func name(of path: String) -> String {
        path.utf8.split(separator: UInt8(ascii: "/")).last.flatMap { String($0) } ?? path
    }
}
