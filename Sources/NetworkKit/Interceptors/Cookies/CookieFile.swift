internal import PlatformBase

/// The file of a jar: JSON that only its owner may read.
///
/// ```json
/// {"format": "NetworkKit cookies", "version": 1, "cookies": [
///   {"name": "sid", "value": "…", "domain": "example.com", "path": "/", "hostOnly": true, "secure": true, "httpOnly": true,
///    "sameSite": "lax", "expires": 1767225600, "created": 1767139200, "lastAccess": 1767139200}]}
/// ```
///
/// The oldest cookie is the first. Dates are seconds since 1970. `expires` is missing for a session cookie, `sameSite` where the server
/// said nothing.
struct CookieFile: Sendable {
    let url: URL
    var path: String { url.path }

    /// More than the largest jar comes to.
    static let sizeLimit = 64 << 20

    private static let format = "NetworkKit cookies"
    private static let version = 1

    /// What the file holds.
    enum Content {
        case cookies([Cookie])
        /// There is no file yet.
        case none
        /// It isn't what a jar writes, for this reason.
        case damaged(String)
    }

    /// - Throws: ``RequestError/file(_:)`` when it can't be read, when there is no folder that it could be in, and when a later version of
    ///   the library wrote it.
    func read() throws(RequestError) -> Content {
        let data: Data
        do throws(RequestError) {
            data = try bytes()
        } catch {
            guard case .file(let details) = error, details.code == ENOENT else { throw error }
            try checkFolder()
            return .none
        }
        return try content(of: data)
    }

    /// Writes a file beside it, and puts that in its place: whoever reads finds the old one or the new one, whole.
    func write(_ cookies: [Cookie]) throws(RequestError) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let data: Data
        do {
            data = try encoder.encode(Document(format: Self.format, version: Self.version, cookies: cookies.map(Record.init)))
        } catch {
            throw .file(.init(.init(path: path), reason: "the cookies for \(Token.quoted(path)) don't encode"))
        }
        let neighbour = path + "." + String(UInt64.random(in: .min ... .max), radix: 16) + ".tmp"
        do throws(RequestError) {
            try NewFile(neighbour).write(data)
            guard rename(neighbour, path) == 0 else { throw .fileFault(path, "write") }
        } catch {
            unlink(neighbour)
            throw error
        }
    }

    /// Gives the file a name that no other has, so that it is kept and the next one takes its place.
    ///
    /// - Returns: that name.
    func setAside() throws(RequestError) -> String {
        var number = 1
        var name = path + ".damaged"
        while access(name, F_OK) == 0 {
            number += 1
            name = path + ".damaged-\(number)"
        }
        guard rename(path, name) == 0 else { throw .fileFault(path, "rename") }
        return name
    }

    private func bytes() throws(RequestError) -> Data {
        let length = try FileBody(url).length
        guard length <= Self.sizeLimit else { return Data(count: Self.sizeLimit + 1) }
        let file = try OpenFile(path)
        var data = Data()
        while data.count <= Self.sizeLimit {
            let more = try file.read(upTo: FileBody.chunkSize, at: Int64(data.count))
            if more.isEmpty { break }
            data += more
        }
        return data
    }

    private func checkFolder() throws(RequestError) {
        let folder = url.deletingLastPathComponent().path
        guard access(folder, F_OK) == 0 else {
            throw .file(
                .init(.init(path: path, code: ENOENT), reason: "there is no folder \(Token.quoted(folder, limit: 1000)) for the cookies"))
        }
    }

    /// The cookies of a file. A jar writes nothing that it wouldn't store, so a single entry that it wouldn't is damage.
    private func content(of data: Data) throws(RequestError) -> Content {
        guard data.count <= Self.sizeLimit else { return .damaged("it is larger than any jar") }
        let decoder = JSONDecoder()
        // Asked first: what a later version writes may not be what this one calls cookies.
        guard let heading = try? decoder.decode(Heading.self, from: data), heading.format == Self.format else {
            return .damaged("it isn't the JSON of a cookie jar")
        }
        guard heading.version <= Self.version else {
            throw .file(
                .init(
                    .init(path: path),
                    reason: "\(Token.quoted(path)) has version \(heading.version), and this library reads up to \(Self.version)"))
        }
        guard let document = try? decoder.decode(Document.self, from: data) else { return .damaged("an entry isn't a cookie") }
        guard document.cookies.count <= CookieStore.limit else { return .damaged("it has more cookies than any jar") }
        let cookies = document.cookies.map(\.cookie)
        for (index, cookie) in cookies.enumerated() {
            if let refusal = CookieRules.refusal(of: cookie) { return .damaged("entry \(index + 1): \(refusal)") }
        }
        return .cookies(cookies)
    }

    private struct Heading: Codable {
        var format: String
        var version: Int
    }

    private struct Document: Codable {
        var format: String
        var version: Int
        var cookies: [Record]
    }

    private struct Record: Codable {
        var name: String
        var value: String
        var domain: String
        var path: String
        var hostOnly: Bool
        var secure: Bool
        var httpOnly: Bool
        var sameSite: String?
        var expires: Double?
        var created: Double
        var lastAccess: Double

        init(_ cookie: Cookie) {
            name = cookie.name
            value = cookie.value
            domain = cookie.domain
            path = cookie.path
            hostOnly = cookie.isHostOnly
            secure = cookie.isSecure
            httpOnly = cookie.isHTTPOnly
            sameSite = cookie.sameSite?.rawValue
            expires = cookie.expires?.timeIntervalSince1970
            created = cookie.created.timeIntervalSince1970
            lastAccess = cookie.lastAccess.timeIntervalSince1970
        }

        var cookie: Cookie {
            Cookie(
                name: name, value: value, domain: domain, path: path, expires: expires.map(Date.init(timeIntervalSince1970:)),
                isSecure: secure, isHTTPOnly: httpOnly, sameSite: sameSite.flatMap(Cookie.SameSite.init), isHostOnly: hostOnly,
                created: Date(timeIntervalSince1970: created), lastAccess: Date(timeIntervalSince1970: lastAccess))
        }
    }
}

/// A file that is new, and that only its owner may read and write.
private struct NewFile: ~Copyable {
    private let path: String
    private let descriptor: Int32

    init(_ path: String) throws(RequestError) {
        // Made with these rights, not given them later: at no time may others open it.
        descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        self.path = path
        guard descriptor >= 0 else { throw .fileFault(path, "write") }
    }

    /// Writes all of it, down to the disk: a crash after the renaming must not leave an empty file.
    consuming func write(_ data: Data) throws(RequestError) {
        var rest = Array(data)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { systemWrite(descriptor, $0.baseAddress, $0.count) }
            if count < 0 {
                guard errno == EINTR else { throw .fileFault(path, "write") }
                continue
            }
            rest = rest.dropFirst(count)
        }
        guard fsync(descriptor) == 0 else { throw .fileFault(path, "write") }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }
}

private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int { write(descriptor, bytes, count) }
