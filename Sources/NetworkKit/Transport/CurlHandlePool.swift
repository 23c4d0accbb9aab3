#if canImport(CCurl)
internal import CCurl
internal import PlatformBase

/// An easy handle with the memory that libcurl writes its error texts to.
struct CurlHandle {
    static let errorSize = 256

    let easy: UnsafeMutableRawPointer
    let errorText: UnsafeMutablePointer<CChar>
}

/// Handles kept for the next request: making one costs more than a small request.
struct CurlHandlePool {
    private static let limit = 128
    private var idle: [CurlHandle] = []

    /// A handle that knows the options of its transport, and of what it last sent only what the next request sets anyway; `nil` when
    /// there is no memory.
    mutating func take(for options: CurlTransport.Options) -> CurlHandle? {
        if let handle = idle.popLast() { return handle }
        guard let easy = curl_easy_init() else { return nil }
        let text = UnsafeMutablePointer<CChar>.allocate(capacity: CurlHandle.errorSize)
        text.initialize(repeating: 0, count: CurlHandle.errorSize)
        let handle = CurlHandle(easy: easy, errorText: text)
        CurlSetup(handle).configure(handle, options: options)
        return handle
    }

    /// Takes a handle back that is in no transfer.
    mutating func giveBack(_ handle: CurlHandle) {
        guard idle.count < Self.limit else { return free(handle) }
        handle.errorText[0] = 0
        idle.append(handle)
    }

    mutating func removeAll() {
        for handle in idle { free(handle) }
        idle = []
    }

    private func free(_ handle: CurlHandle) {
        curl_easy_cleanup(handle.easy)
        handle.errorText.deallocate()
    }
}
#endif
