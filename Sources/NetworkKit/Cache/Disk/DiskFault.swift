internal import PlatformBase

/// What is wrong with a store on a disk. The request goes on without it.
enum DiskFault: Error, Hashable {
    /// The system refuses.
    case system(action: String, path: String, code: Int32)
    /// A file isn't what was written.
    case damaged(path: String, EntryFormat.Damage)
    /// Something else has the name of a file of the store's.
    case notAFile(path: String)
    /// Another cache, of this process or another, has the directory.
    case inUse(path: String)
    /// Another user's file lies in the place of the store's key.
    case foreignKey(path: String)

    /// The fault as it is told of.
    var error: RequestError {
        switch self {
        case .system(let action, let path, let code):
            .file(
                .init(
                    .init(path: path, code: code),
                    reason: "the cache can't \(action) \(Token.quoted(path)): \(String(cString: strerror(code)))"))
        case .damaged(let path, let damage):
            .integrity(
                .init(
                    .init(expected: "a cache entry of version \(EntryFormat.version)", actual: damage.description),
                    reason: "the cache's file \(Token.quoted(path)) \(damage); it is removed, and the server asked"))
        case .notAFile(let path):
            .file(.init(.init(path: path), reason: "\(Token.quoted(path)) has the name of a cache's file and is none; it is passed over"))
        case .inUse(let path):
            .file(
                .init(
                    .init(path: path, code: EWOULDBLOCK),
                    reason: "another cache has \(Token.quoted(path)); this one reads what was there when it opened it, and stores nothing"))
        case .foreignKey(let path):
            .file(.init(.init(path: path), reason: "\(Token.quoted(path)) is another user's; the cache keeps nothing there"))
        }
    }

    /// What makes two faults the same one: a full disk is full for every file, a damaged file is one of its own.
    fileprivate var kind: DiskFault {
        switch self {
        case .system(let action, _, let code): .system(action: action, path: "", code: code)
        case .damaged(_, .version): .damaged(path: "", .version(0))
        case .damaged(let path, _): .damaged(path: path, .empty)
        default: self
        }
    }

    /// The system's last word, in `errno`.
    static func system(_ action: String, _ path: String) -> DiskFault { .system(action: action, path: path, code: errno) }

    /// Whether the file is simply gone, as when somebody has emptied the directory.
    var isMissing: Bool { if case .system(_, _, ENOENT) = self { true } else { false } }
}

extension EntryFormat.Damage: CustomStringConvertible {
    /// What the file is, as the end of a sentence about it.
    var description: String {
        switch self {
        case .empty: "is empty"
        case .truncated: "is cut off"
        case .notAnEntry: "is no cache entry"
        case .checksum: "doesn't match its checksum"
        case .head: "has a head that can't be read"
        case .otherKey: "is that of another URL"
        case .version(let version): "is of version \(version)"
        }
    }
}

/// Tells of each fault once.
final class DiskFaults: Sendable {
    private let told = Lock<Set<DiskFault>>([])
    private let tell: (@Sendable (RequestError) -> Void)?
    /// More than this many damaged files tell nobody anything new.
    private static let limit = 1000

    init(_ tell: (@Sendable (RequestError) -> Void)?) { self.tell = tell }

    func report(_ fault: DiskFault) {
        guard let tell, told.withLock({ $0.count < Self.limit && $0.insert(fault.kind).inserted }) else { return }
        tell(fault.error)
    }
}
