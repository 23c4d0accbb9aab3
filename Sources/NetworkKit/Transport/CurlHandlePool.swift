#if canImport(CCurl)
internal import CCurl
internal import PlatformBase

/// An easy handle with the memory that libcurl writes its error texts to, and the job that it works for: what libcurl's callbacks are
/// told of.
///
/// Loop's thread only.
final class CurlHandle {
    static let errorSize = 256

    let easy: UnsafeMutableRawPointer
    let errorText: UnsafeMutablePointer<CChar>
    /// Addresses for names. libcurl reads the list when the handle is first used.
    let addresses: UnsafeMutablePointer<curl_slist>?
    /// The job that uses the handle. It holds the handle, not the other way round.
    unowned(unsafe) var job: CurlJob?
    /// What the handle was last told that the next request may not have to tell it again.
    var settings = Settings()
    /// Whether it is of no use for another request.
    var isSpoilt = false

    struct Settings: Equatable {
        var isPlainGet = true
        var isFresh = false
        var waitsForMultiplexing = false
        var isStream = false
        var isLargeUpload = false
        /// libcurl's own.
        var continueWait = 1000
        var forbidsReuse = false
    }

    fileprivate init(easy: UnsafeMutableRawPointer, addresses: UnsafeMutablePointer<curl_slist>?) {
        self.easy = easy
        self.addresses = addresses
        errorText = .allocate(capacity: Self.errorSize)
        errorText.initialize(repeating: 0, count: Self.errorSize)
    }

    deinit {
        curl_easy_cleanup(easy)
        errorText.deallocate()
        curl_slist_free_all(addresses)
    }

    /// What libcurl's callbacks are given.
    var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    /// The job that a callback is for.
    static func job(_ context: UnsafeMutableRawPointer?) -> CurlJob? {
        guard let context else { return nil }
        return Unmanaged<CurlHandle>.fromOpaque(context)._withUnsafeGuaranteedRef { $0.job }
    }
}

/// Handles kept for the next request: making one costs more than a small request.
struct CurlHandlePool {
    private let limit: Int
    private var idle: [CurlHandle] = []

    /// - Parameter connections: the most that are in use at once, as a rule.
    init(connections: Int) { limit = min(max(connections, 64), 1024) }

    /// A handle that knows the options of its transport, and of what it last sent only what the next request sets anyway; `nil` when
    /// there is no memory.
    mutating func take(for options: CurlTransport.Options, _ events: CurlEvents) -> CurlHandle? {
        if let handle = idle.popLast() { return handle }
        guard let easy = curl_easy_init() else { return nil }
        let handle = CurlHandle(easy: easy, addresses: CurlConnecting.list(of: options.addresses))
        guard CurlSetup(handle).configure(options: options, events) else { return nil }
        return handle
    }

    /// Takes a handle back that is in no transfer.
    mutating func giveBack(_ handle: CurlHandle) {
        handle.job = nil
        guard idle.count < limit, !handle.isSpoilt else { return }
        handle.errorText[0] = 0
        idle.append(handle)
    }

    mutating func removeAll() { idle = [] }
}
#endif
