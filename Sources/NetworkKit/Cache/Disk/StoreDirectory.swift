internal import PlatformBase

/// The directory of a store: its lock, its key and its files. All calls block.
///
/// Files are reached through the open directory, so that a directory that is moved stays the same one.
final class StoreDirectory: Sendable {
    let path: String
    /// Whether another cache has the lock, or the disk can't be written to.
    let isReadOnly: Bool
    /// Whether its key was made just now, so that no entry in it can be found by its name.
    let isKeyNew: Bool
    private let descriptor: Int32
    /// Holds the lock until it is closed, which the system sees to when the process is killed.
    private let lock: Int32
    private let hash: SipHash

    private static let lockName = "lock"
    private static let keyName = "key"
    private static let partialSuffix = ".partial"

    /// Opens a directory, and makes it where there is none, for its user alone.
    ///
    /// - Parameter report: told of what makes it one that is only read.
    init(_ path: String, report: (DiskFault) -> Void) throws(DiskFault) {
        Self.make(path)
        descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .system("open", path) }
        self.path = path
        lock = openat(descriptor, Self.lockName, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
        var fault: DiskFault?
        if lock < 0 {
            fault = .system("write to", path)
        } else if !Self.take(lock) {
            fault = errno == EWOULDBLOCK ? .inUse(path: path) : .system("lock", path)
        }
        isReadOnly = fault != nil
        do throws(DiskFault) {
            let known = try Self.key(in: descriptor, path, report)
            if known == nil && fault != nil { throw DiskFault.system(action: "read", path: "\(path)/\(Self.keyName)", code: ENOENT) }
            isKeyNew = known == nil
            let key = if let known { known } else { try Self.makeKey(in: descriptor, path) }
            hash = SipHash(key: key.0, key.1)
        } catch {
            close(descriptor)
            if lock >= 0 { close(lock) }
            if let fault { report(fault) }
            throw error
        }
        if let fault { report(fault) }
    }

    deinit {
        close(descriptor)
        if lock >= 0 { close(lock) }
    }

    /// Takes the lock. Whoever let go of it just now may still hold it for a moment.
    private static func take(_ lock: Int32) -> Bool {
        for _ in 0..<10 {
            if flock(lock, LOCK_EX | LOCK_NB) == 0 { return true }
            guard errno == EWOULDBLOCK || errno == EINTR else { return false }
            usleep(2000)
        }
        return flock(lock, LOCK_EX | LOCK_NB) == 0
    }

    /// What a URL is kept under.
    func hash(of key: CacheKey) -> SipHash.Value { hash.hash(key.text) }

    /// What the file of an answer is called.
    func name(_ key: SipHash.Value, _ variant: CacheVariant) -> EntryName {
        EntryName(key: key, variant: variant.encoded.withUnsafeBytes { hash.hash($0).low })
    }

    /// All entries. What was being written when a process was killed is removed, and what can't be an entry is told of.
    func list(_ report: (DiskFault) -> Void) throws(DiskFault) -> [DiskIndex.Found] {
        let copy = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard copy >= 0, let stream = fdopendir(copy) else {
            defer { if copy >= 0 { close(copy) } }
            throw .system("read", path)
        }
        defer { closedir(stream) }
        var found: [DiskIndex.Found] = []
        while let item = readdir(stream) {
            // The name may be longer than the field that is declared for it.
            let start = UnsafeRawPointer(item).advanced(by: MemoryLayout<dirent>.offset(of: \.d_name) ?? 0)
            let text = start.assumingMemoryBound(to: CChar.self)
            let bytes = UnsafeRawBufferPointer(start: start, count: strlen(text))
            if let name = EntryName(bytes) {
                if let file = look(at: text, name, report) { found.append(file) }
            } else if !isReadOnly, Self.isPartial(bytes) {
                unlinkat(descriptor, text, 0)
            }
        }
        return found
    }

    /// Whether a name is one that this store gives what it writes: whatever else lies here is somebody's, and stays.
    private static func isPartial(_ name: UnsafeRawBufferPointer) -> Bool {
        let count = name.count - partialSuffix.utf8.count
        guard count > 0, name.dropFirst(count).elementsEqual(partialSuffix.utf8) else { return false }
        let start = name.prefix(count)
        return start.elementsEqual(keyName.utf8) || Hex.isDigits(start)
    }

    private func look(at text: UnsafePointer<CChar>, _ name: EntryName, _ report: (DiskFault) -> Void) -> DiskIndex.Found? {
        var status = stat()
        guard fstatat(descriptor, text, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
        guard status.isFile, status.st_uid == geteuid() else {
            report(.notAFile(path: path(of: name)))
            return nil
        }
        guard status.st_size > 0 else {
            report(.damaged(path: path(of: name), .empty))
            if !isReadOnly { unlinkat(descriptor, text, 0) }
            return nil
        }
        return DiskIndex.Found(name: name, size: Int64(status.st_size), modified: status.modified)
    }

    func path(of name: EntryName) -> String { "\(path)/\(name.text)" }

    /// Opens the file of an entry.
    func file(_ name: EntryName, forWriting: Bool = false) throws(DiskFault) -> StoreFile {
        let flags = (forWriting ? O_RDWR : O_RDONLY) | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
        let opened = openat(descriptor, name.text, flags)
        guard opened >= 0 else { throw errno == ELOOP ? .notAFile(path: path(of: name)) : .system("open", path(of: name)) }
        let file = StoreFile(opened, path: path(of: name))
        // Nobody else may tell this user's cache what a server said.
        let status = try file.status()
        guard status.isFile, status.st_uid == geteuid() else { throw .notAFile(path: file.path) }
        return file
    }

    /// Makes a file that isn't an entry yet, readable for its user alone.
    func partial(_ nonce: UInt64) throws(DiskFault) -> StoreFile {
        let name = Hex.digits(nonce) + Self.partialSuffix
        let opened = openat(descriptor, name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard opened >= 0 else { throw .system("write to", path) }
        return StoreFile(opened, path: "\(path)/\(name)")
    }

    /// Makes it an entry, in place of the one that there may be. An empty directory that somebody made there gives way.
    func rename(partial nonce: UInt64, to name: EntryName) throws(DiskFault) {
        let partial = Hex.digits(nonce) + Self.partialSuffix
        if renameat(descriptor, partial, descriptor, name.text) == 0 { return }
        if errno == EISDIR, unlinkat(descriptor, name.text, AT_REMOVEDIR) == 0, renameat(descriptor, partial, descriptor, name.text) == 0 {
            return
        }
        throw errno == EISDIR || errno == ENOTEMPTY ? .notAFile(path: path(of: name)) : .system("write", path(of: name))
    }

    func remove(partial nonce: UInt64) { unlinkat(descriptor, Hex.digits(nonce) + Self.partialSuffix, 0) }

    /// Removes the file of an entry, if it is there.
    func remove(_ name: EntryName) throws(DiskFault) {
        guard unlinkat(descriptor, name.text, 0) == 0 || errno == ENOENT else {
            throw errno == EISDIR ? .notAFile(path: path(of: name)) : .system("remove", path(of: name))
        }
    }

    /// Marks an entry as used just now. Where that fails it counts as older than it is.
    func touch(_ name: EntryName) { utimensat(descriptor, name.text, nil, AT_SYMLINK_NOFOLLOW) }

    /// Makes a directory, and those that it is in. Whether it went well is seen when it is opened.
    private static func make(_ path: String) {
        guard mkdir(path, 0o700) != 0, errno == ENOENT, let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return }
        make(String(path[..<slash]))
        mkdir(path, 0o700)
    }
}

extension StoreDirectory {
    /// The key that names are made by: it is made up once for each directory, and lies in it, readable for its user alone.
    private static func key(in directory: Int32, _ path: String, _ report: (DiskFault) -> Void) throws(DiskFault) -> (UInt64, UInt64)? {
        let keyPath = "\(path)/\(keyName)"
        let opened = openat(directory, keyName, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        if opened >= 0 {
            let file = StoreFile(opened, path: keyPath)
            let status = try file.status()
            guard status.st_uid == geteuid() else { throw .foreignKey(path: keyPath) }
            if status.isFile, let key = read(try file.read(24, at: 0)) { return key }
            report(.damaged(path: keyPath, status.st_size == 0 ? .empty : .checksum))
        } else if errno != ENOENT {
            throw .system("read", keyPath)
        }
        return nil
    }

    private static func read(_ bytes: [UInt8]) -> (UInt64, UInt64)? {
        bytes.withUnsafeBytes { bytes in
            var reader = ByteReader(bytes)
            guard let low = reader.number(UInt64.self), let high = reader.number(UInt64.self), let checksum = reader.number(UInt64.self),
                checksum == Checksum.of(UnsafeRawBufferPointer(rebasing: bytes.prefix(16)), seed: 0)
            else { return nil }
            return (low, high)
        }
    }

    private static func makeKey(in directory: Int32, _ path: String) throws(DiskFault) -> (UInt64, UInt64) {
        var random = SystemRandomNumberGenerator()
        let key = (random.next(), random.next())
        var writer = ByteWriter()
        writer.add(key.0)
        writer.add(key.1)
        writer.add(Checksum.of(writer.bytes, seed: 0))
        let name = keyName + partialSuffix
        unlinkat(directory, name, 0)
        let opened = openat(directory, name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard opened >= 0 else { throw .system("write to", path) }
        let file = StoreFile(opened, path: "\(path)/\(name)")
        do throws(DiskFault) {
            try file.write(writer.bytes, at: 0)
            guard renameat(directory, name, directory, keyName) == 0 else { throw .system("write", "\(path)/\(keyName)") }
        } catch {
            unlinkat(directory, name, 0)
            throw error
        }
        return key
    }
}
