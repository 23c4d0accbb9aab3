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

    /// A handle with nothing set; `nil` when there is no memory.
    mutating func take() -> CurlHandle? {
        if let handle = idle.popLast() { return handle }
        guard let easy = curl_easy_init() else { return nil }
        let text = UnsafeMutablePointer<CChar>.allocate(capacity: CurlHandle.errorSize)
        text.initialize(repeating: 0, count: CurlHandle.errorSize)
        return CurlHandle(easy: easy, errorText: text)
    }

    /// Takes a handle back that is in no transfer.
    mutating func giveBack(_ handle: CurlHandle) {
        guard idle.count < Self.limit else { return free(handle) }
        curl_easy_reset(handle.easy)
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
