internal import PlatformBase

/// What lies beside a partial file: what is needed to go on with it, and nothing that is secret.
struct PartialRecord: Sendable, Equatable, Codable {
    private(set) var version = 1
    /// Of what it is a part: a hash of method and URL, secrets left out.
    var source: String
    var validator: RangeValidator
    var total: Int64?
    /// What the server calls the file.
    var name: String?

    /// The hash that stands for a request's method and URL.
    static func source(of request: HTTPRequest) -> String {
        let text = "\(request.method) \(request.allSecrets.masking(request.url.absoluteString))"
        return Hexadecimal.text(SHA256.hash(Array(text.utf8)))
    }
}

/// The file that a download is written to until it is whole: a neighbour of the one that it becomes, with its record beside it. It is
/// locked, so that two downloads never write to one. All calls block.
final class PartialFile: Sendable {
    let path: String
    private let recordPath: String
    private let descriptor: Int32
    /// Touched by the job that runs; no two run at a time.
    private let state: Lock<State>

    private struct State {
        var size: Int64
        var digest: SHA256?
        /// How much of the file is in the digest, from the beginning.
        var digested: Int64 = 0
    }

    /// Opens a partial file, or makes it.
    ///
    /// - Parameters:
    ///   - name: what it is called in the folder, without what marks it as a part.
    ///   - digests: whether its SHA-256 will be asked for.
    init(in folder: String, name: String, digests: Bool) throws(RequestError) {
        let path = "\(folder)/\(Self.partName(name))"
        self.path = path
        recordPath = path + ".json"
        descriptor = try Self.openLocked(path)
        var status = stat()
        let isKnown = fstat(descriptor, &status) == 0
        state = Lock(State(size: isKnown ? Int64(status.st_size) : 0, digest: digests ? SHA256() : nil))
        guard isKnown, status.isFile else { throw .file(.init(.init(path: path), reason: "\(Token.quoted(path)) is not a regular file")) }
    }

    deinit { close(descriptor) }

    /// A hidden name that fits where the file's own does. A name that would become too long is hashed.
    private static func partName(_ name: String) -> String {
        let stem = name.utf8.count <= 200 ? name : Hexadecimal.text(SHA256.hash(Array(name.utf8)))
        return ".\(stem).download"
    }

    private static func openLocked(_ path: String) throws(RequestError) -> Int32 {
        for _ in 0..<100 {
            let descriptor = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o666)
            guard descriptor >= 0 else { throw .fileFault(path, "write to") }
            guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
                let code = errno
                close(descriptor)
                guard code == EWOULDBLOCK else {
                    errno = code
                    throw .fileFault(path, "lock")
                }
                throw .file(.init(.init(path: path, code: code), reason: "another download is writing to \(Token.quoted(path))"))
            }
            // Whoever had the lock may have given the file its own name just now.
            var (opened, named) = (stat(), stat())
            if fstat(descriptor, &opened) == 0, lstat(path, &named) == 0, opened.st_ino == named.st_ino, opened.st_dev == named.st_dev {
                return descriptor
            }
            close(descriptor)
        }
        errno = EBUSY
        throw .fileFault(path, "open")
    }

    /// How long it is.
    var size: Int64 { state.withLock(\.size) }

    /// What lies beside it, if that can be read.
    func record() -> PartialRecord? {
        guard let bytes = try? Data(contentsOf: URL(filePath: recordPath)), bytes.count <= 64 * 1024,
            let record = try? JSONDecoder().decode(PartialRecord.self, from: bytes), record.version == 1
        else { return nil }
        return record
    }

    /// Begins anew. Without a record nobody can go on with it later.
    func begin(_ record: PartialRecord?) throws(RequestError) {
        // First what says of what the bytes are, so that old bytes never have a new record.
        unlink(recordPath)
        try truncate(to: 0)
        if let record { try write(record) }
    }

    private func write(_ record: PartialRecord) throws(RequestError) {
        guard let bytes = try? JSONEncoder().encode(record) else { return }
        let file = open(recordPath, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw .fileFault(recordPath, "write to") }
        defer { close(file) }
        if let fault = Self.write(bytes, to: file, at: 0, path: recordPath) { throw fault }
    }

    /// Keeps the bytes up to a place.
    func truncate(to size: Int64) throws(RequestError) {
        guard ftruncate(descriptor, off_t(size)) == 0 else { throw .fileFault(path, "write to") }
        state.withLock { state in
            state.size = size
            guard state.digested > size else { return }
            state.digested = 0
            if state.digest != nil { state.digest = SHA256() }
        }
    }

    /// Adds bytes at the end.
    func append(_ data: Data) throws(RequestError) {
        let place = size
        if let fault = Self.write(data, to: descriptor, at: place, path: path) { throw fault }
        state.withLock { state in
            state.size += Int64(data.count)
            guard state.digest != nil, state.digested == place else { return }
            state.digest?.update(data)
            state.digested = state.size
        }
    }

    /// Writes all bytes at a place; says what went wrong.
    private static func write(_ data: Data, to file: Int32, at place: Int64, path: String) -> RequestError? {
        data.withUnsafeBytes { bytes in
            var written = 0
            while written < bytes.count {
                let count = pwrite(file, bytes.baseAddress.map { $0 + written }, bytes.count - written, off_t(place + Int64(written)))
                if count < 0 && errno == EINTR { continue }
                if count == 0 { errno = ENOSPC }
                guard count > 0 else { return .fileFault(path, "write to") }
                written += count
            }
            return nil
        }
    }

    /// Puts bytes into the digest that were there before, some at a time.
    ///
    /// - Returns: the SHA-256, or `nil` while there are more.
    func digest(upTo count: Int) throws(RequestError) -> [UInt8]? {
        let (start, size) = state.withLock { ($0.digested, $0.size) }
        let wanted = Int(min(Int64(count), size - start))
        if wanted > 0 {
            var buffer = [UInt8](repeating: 0, count: wanted)
            let read = buffer.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, wanted, off_t(start)) }
            guard read > 0 || errno == EINTR else { throw .fileFault(path, "read") }
            if read > 0 {
                let bytes = read == wanted ? buffer : Array(buffer.prefix(read))
                state.withLock { state in
                    state.digest?.update(bytes)
                    state.digested += Int64(read)
                }
            }
        }
        return state.withLock { $0.digested == $0.size ? ($0.digest ?? SHA256()).finalize() : nil }
    }

    /// Makes it the file that it was to become.
    func become(_ target: String, replaces: Bool) throws(RequestError) {
        if replaces {
            guard rename(path, target) == 0 else { throw .fileFault(target, "write to") }
        } else if link(path, target) == 0 {
            // A link, unlike a new name, takes no other file's place.
            unlink(path)
        } else {
            guard errno != EEXIST, access(target, F_OK) != 0 else { throw .exists(target) }
            // Not every file system has links.
            guard rename(path, target) == 0 else { throw .fileFault(target, "write to") }
        }
        unlink(recordPath)
    }

    /// Lets another download have it: at once, and not when the last one who knows it has let go of it.
    func unlock() { flock(descriptor, LOCK_UN) }

    /// Takes it away.
    func remove() {
        unlink(recordPath)
        unlink(path)
    }
}

extension RequestError {
    static func exists(_ path: String) -> RequestError {
        .file(
            .init(
                .init(path: path, code: EEXIST),
                reason: "there is a file \(Token.quoted(path)) already; DownloadOptions.existingFile says whether it may be replaced"))
    }
}
