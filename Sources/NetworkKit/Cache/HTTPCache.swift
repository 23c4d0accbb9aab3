public import PlatformBase

/// A cache as RFC 9111 describes it, the same on every platform: private to its user unless it is made a shared one.
///
/// ```swift
/// let session = HTTPSession(interceptors: [.cache(HTTPCache())])
/// ```
///
/// Sessions that are given the same cache share its answers, but each user sees their own only: an answer to a request with
/// credentials is kept for that identity (see ``CallContext/identity``). Of what it keeps, nothing but the server's word decides what
/// may be used again; ``RequestOptions/cachePolicy`` asks for more or less.
///
/// Two things go on after the call that began them: a stale answer that may be used while it is asked for again
/// (`stale-while-revalidate`, RFC 5861) is asked for by a task of the cache's own, one an entry, bounded by
/// ``RequestOptions/Standard/deadline``; and nothing else.
public final class HTTPCache: Sendable {
    /// 16 MiB of bodies and fields in memory.
    public static let standardMemoryCapacity = 16 * 1024 * 1024

    /// 64 MiB of files in a directory.
    public static let standardDiskCapacity = 64 * 1024 * 1024

    let store: any CacheStore
    let isShared: Bool
    /// Seconds for which a stale answer stands in for a server that fails, where nobody says.
    let standIn: Double
    let flights = Lock(CacheFlights<CallWait<ValidationEnd>>())

    /// A cache in memory.
    ///
    /// - Parameters:
    ///   - memoryCapacity: the most bytes of bodies and fields together; what was used longest ago goes first. One answer may take a
    ///     quarter of it.
    ///   - isShared: whether its answers are for many users, as a gateway's are: then it keeps no `private` answer, and one to a request
    ///     with credentials only where the server allows it (RFC 9111 §3.5).
    ///   - staleIfError: for how long after it went stale an answer stands in when the server can't be reached, or answers 500, 502, 503
    ///     or 504, where neither `stale-if-error` nor `must-revalidate` says (RFC 5861 §4). Default: not at all.
    public convenience init(
        memoryCapacity: Int = HTTPCache.standardMemoryCapacity, isShared: Bool = false, staleIfError: Duration = .zero
    ) {
        self.init(store: MemoryStore(capacity: memoryCapacity), isShared: isShared, staleIfError: staleIfError)
    }

    /// A cache in a directory, which outlives the process.
    ///
    /// The directory is the cache's alone, and is made, for its user alone, where there is none. It is opened when the cache is first used;
    /// all work with files is done on threads of its own. Each answer is a file that only its user may read, checked by checksums whenever
    /// it is read; its name is a keyed hash, and the URL isn't written anywhere. What a process leaves when it is killed is whole entries
    /// only.
    ///
    /// One cache at a time may write to a directory. A second one, of this process or another, reads what was there when it opened it, and
    /// stores nothing: see ``isReadOnly``.
    ///
    /// No fault of the disk fails a request: the server answers it.
    ///
    /// ```swift
    /// let cache = HTTPCache(directory: .cachesDirectory.appending(path: "http"), capacity: 100 << 20) { log("\($0)") }
    /// ```
    ///
    /// - Parameters:
    ///   - directory: where; the URL of a file.
    ///   - capacity: the most bytes that its files may have together; what was used longest ago goes first. One answer may take a quarter of
    ///     it.
    ///   - isShared: as for a cache in memory.
    ///   - staleIfError: as for a cache in memory.
    ///   - onFault: told of each fault once, on a thread of the cache's: ``RequestError/file(_:)`` for a disk that is full, can't be read or
    ///     written, or is another cache's; ``RequestError/integrity(_:)`` for a damaged file, which is removed. Default: nobody is told.
    public convenience init(
        directory: URL, capacity: Int = HTTPCache.standardDiskCapacity, isShared: Bool = false, staleIfError: Duration = .zero,
        onFault: (@Sendable (RequestError) -> Void)? = nil
    ) {
        self.init(
            store: DiskStore(directory: directory, capacity: capacity, onFault: onFault), isShared: isShared, staleIfError: staleIfError)
    }

    init(store: any CacheStore, isShared: Bool = false, staleIfError: Duration = .zero) {
        self.store = store
        self.isShared = isShared
        standIn = Double(staleIfError.components.seconds)
    }

    /// Whether nothing can be stored: another cache has the directory, or it can't be written to. Opens it, if nothing has yet.
    public var isReadOnly: Bool {
        get async { await (store as? DiskStore)?.isReadOnly() ?? false }
    }

    /// Removes all answers, for all users. What is on its way isn't kept either.
    public func removeAll() async {
        flights.withLock { $0.invalidateAll() }
        await store.removeAll()
    }

    /// Removes the answers of one URL, for all users.
    public func remove(_ url: URL) async { await remove(CacheKey(url)) }

    func remove(_ key: CacheKey) async {
        flights.withLock { $0.invalidate(key) }
        await store.remove(key)
    }
}

extension Interceptor where Self == CacheInterceptor {
    /// Answers from a cache what may be answered from it, and keeps what comes (RFC 9111).
    ///
    /// Only answers to GET are kept, whole ones; HEAD, ranges and conditional requests are answered from them. An answer says where it
    /// came from in ``RequestMetrics/cache`` and `Cache-Status` (RFC 9211). Many requests for one stale answer ask the server once.
    /// `Set-Cookie` isn't kept: it was for who asked then.
    ///
    /// - Parameter cache: where answers are kept.
    public static func cache(_ cache: HTTPCache) -> CacheInterceptor { CacheInterceptor(cache: cache) }
}

/// Answers from a cache: see ``Interceptor/cache(_:)``.
public struct CacheInterceptor: PerHopInterceptor {
    let cache: HTTPCache

    /// Answers from the cache, or sends the request on and keeps its answer.
    public func intercept(_ request: HTTPRequest, next: Next) async throws(RequestError) -> HTTPResponse {
        try await CachedCall(cache, request, next).response()
    }

    /// What the request lets the cache do.
    public func describe(_ request: HTTPRequest) -> String? {
        let kind = cache.isShared ? "shared" : "private"
        let directives = RequestDirectives(request)
        let isAnswerable = CachedCall.isAnswerable(request, directives)
        if directives.isOnlyIfCached {
            return isAnswerable && directives.policy != .reload ? "\(kind): answers, or fails with 504" : "\(kind): fails with 504"
        }
        guard request.method == .get || request.method == .head else {
            return request.method.isSafe ? "passes \(request.method) on" : "passes \(request.method) on and forgets what it may change"
        }
        if !isAnswerable { return "neither answers nor stores" }
        return switch directives.policy {
        case .reload: "\(kind): asks the server and stores its answer"
        case .revalidate: "\(kind): asks the server whether its answer still holds"
        case .preferCache: "\(kind): answers, however old its answer is, else asks the server"
        case .protocol, .noStore, .cacheOnly: "\(kind): answers while RFC 9111 lets it, else asks the server"
        }
    }
}
