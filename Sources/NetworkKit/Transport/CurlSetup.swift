#if canImport(CCurl)
internal import CCurl
internal import PlatformBase

/// What libcurl is told: once for a handle, and for each request that it sends.
struct CurlSetup {
    private let handle: CurlHandle
    private var easy: UnsafeMutableRawPointer { handle.easy }

    init(_ handle: CurlHandle) { self.handle = handle }

    /// What libcurl reads at once. It allocates that much for each transfer; past 128 KiB the C library gets and gives back such memory
    /// from and to the system each time, which costs more than a small request, and nothing beside a stream.
    private static let smallBuffer = 60 * 1024
    private static let largeBuffer = 512 * 1024
    /// What it sends at once: its own size, and one for bodies that are longer.
    private static let smallUploadBuffer = 64 * 1024
    private static let largeUploadBuffer = 512 * 1024

    // MARK: Once

    /// What is the same for all requests of a transport; `false` when libcurl won't have it so.
    func configure(options: CurlTransport.Options, _ events: CurlEvents) -> Bool {
        nk_setopt_pointer(easy, Int32(NK_OPT_ERRORBUFFER), handle.errorText)
        set(NK_OPT_NOSIGNAL, 1)
        set(NK_OPT_PROTOCOLS, Int(NK_PROTO_HTTP_AND_HTTPS))
        set(NK_OPT_PATH_AS_IS, 1)
        set(NK_OPT_FOLLOWLOCATION, 0)
        // What libcurl would send again by itself after a 417 counts as a redirect there.
        set(NK_OPT_MAXREDIRS, 0)
        set(NK_OPT_HTTP09_ALLOWED, 0)
        set(NK_OPT_SUPPRESS_CONNECT_HEADERS, 1)
        // Bodies are decoded here; and its own decoders fail on a transfer coding that nobody knows, which is none.
        set(NK_OPT_HTTP_CONTENT_DECODING, 0)
        set(NK_OPT_TCP_NODELAY, 1)
        set(NK_OPT_BUFFERSIZE, Self.smallBuffer)
        // The loop times connecting and silences itself; libcurl's own limit, 5 minutes, must not come first.
        set(NK_OPT_CONNECTTIMEOUT_MS, Int(Int32.max))
        set(NK_OPT_MAXAGE_CONN, IdleSweep.seconds(options.idleLifetime))
        set(NK_OPT_HTTP_VERSION, Int(options.offersHTTP2 ? NK_HTTP_VERSION_2TLS : NK_HTTP_VERSION_1_1))
        for option in [
            NK_OPT_PRIVATE, NK_OPT_HEADERDATA, NK_OPT_WRITEDATA, NK_OPT_READDATA, NK_OPT_PREREQDATA, NK_OPT_OPENSOCKETDATA,
            NK_OPT_DEBUGDATA,
        ] {
            nk_setopt_pointer(easy, Int32(option), handle.context)
        }
        set(NK_OPT_HTTPGET, 1)
        callbacks()
        sockets(events)
        if options.usesQuickExit { set(NK_OPT_QUICK_EXIT, 1) }
        return CurlConnecting(easy: easy).refusal(of: options, addresses: handle.addresses) == nil
    }

    private func callbacks() {
        nk_setopt_data_callback(easy, Int32(NK_OPT_HEADERFUNCTION)) { bytes, size, count, context in
            guard let job = CurlHandle.job(context) else { return 0 }
            let length = size * count
            return job.received(line: UnsafeRawBufferPointer(start: bytes, count: length)) ? length : 0
        }
        nk_setopt_data_callback(easy, Int32(NK_OPT_WRITEFUNCTION)) { bytes, size, count, context in
            guard let job = CurlHandle.job(context) else { return 0 }
            let length = size * count
            return switch job.received(body: UnsafeRawBufferPointer(start: bytes, count: length)) {
            case .taken: length
            case .pause: Int(NK_CURL_WRITEFUNC_PAUSE)
            case .stop: 0
            }
        }
        nk_setopt_data_callback(easy, Int32(NK_OPT_READFUNCTION)) { buffer, size, count, context in
            guard let job = CurlHandle.job(context) else { return 0 }
            return job.fill(UnsafeMutableRawBufferPointer(start: buffer, count: size * count))
        }
        // The one switch that keeps libcurl from sending again by itself when a kept connection is dead; no request is one of RTSP. With
        // it, libcurl also tells when a server of HTTP/2 has refused a stream of a kept connection. Where it has no effect, `willSend`
        // stops the second sending.
        set(NK_OPT_RTSP_REQUEST, Int(NK_RTSPREQ_RECEIVE))
        // libcurl would rewind a body to send a request again by itself, which is ours to decide.
        nk_setopt_seek_callback(easy, Int32(NK_OPT_SEEKFUNCTION)) { _, _, _ in Int32(NK_CURL_SEEKFUNC_FAIL) }
        nk_setopt_debug_callback(easy, Int32(NK_OPT_DEBUGFUNCTION)) { _, kind, text, count, context in
            guard kind == NK_CURLINFO_TEXT, let remark = HTTP2Remark(UnsafeRawBufferPointer(start: text, count: count)) else { return 0 }
            CurlHandle.job(context)?.heard(remark)
            return 0
        }
        if CurlLibrary.hasPrerequest {
            nk_setopt_prereq_callback(easy, Int32(NK_OPT_PREREQFUNCTION)) { context, remoteAddress, localAddress, remote, local in
                guard let job = CurlHandle.job(context) else { return Int32(NK_CURL_PREREQFUNC_ABORT) }
                // Only where HTTP/2 may be spoken is anything told of connections.
                let ends =
                    job.handle.settings.waitsForMultiplexing
                    ? ConnectionEnds(local: local, remote: remote, addresses: [UnsafePointer(remoteAddress), UnsafePointer(localAddress)])
                    : nil
                guard job.willSend(on: ends) else { return Int32(NK_CURL_PREREQFUNC_ABORT) }
                return Int32(NK_CURL_PREREQFUNC_OK)
            }
        }
    }

    /// Sockets are opened and closed where their events are known. A job that has been abandoned in its lookup opens none.
    private func sockets(_ events: CurlEvents) {
        nk_setopt_socket_callback(easy, Int32(NK_OPT_OPENSOCKETFUNCTION)) { context, _, address in
            guard let job = CurlHandle.job(context), let address, !job.isAbandoned else { return Int32(NK_CURL_SOCKET_BAD) }
            return job.open(address.pointee)
        }
        // A connection outlives the handle that made it, so this is told of what outlives both.
        nk_setopt_pointer(easy, Int32(NK_OPT_CLOSESOCKETDATA), events.context)
        nk_setopt_close_callback(easy, Int32(NK_OPT_CLOSESOCKETFUNCTION)) { context, socket in
            CurlEvents.at(context)?.close(socket) ?? close(socket)
        }
    }

    // MARK: For each request

    /// - Parameters:
    ///   - isFresh: whether only a new connection will do.
    ///   - isStream: whether the answer is read piece by piece.
    ///   - waitsForMultiplexing: whether many requests at once wait for the first connection to say whether it carries them all.
    func request(_ request: CurlRequest, isFresh: Bool, waitsForMultiplexing: Bool, isStream: Bool) {
        set(NK_OPT_URL, request.url)
        nk_setopt_list(easy, Int32(NK_OPT_HTTPHEADER), request.fields)
        // The rest is nearly always what the handle was told last.
        let told = handle.settings
        handle.settings = .init(
            isPlainGet: request.isPlainGet, isFresh: isFresh, waitsForMultiplexing: waitsForMultiplexing, isStream: isStream,
            isLargeUpload: request.hasBody(longerThan: Self.smallUploadBuffer), continueWait: request.continueWait ?? told.continueWait)
        if told.isStream != isStream { set(NK_OPT_BUFFERSIZE, isStream ? Self.largeBuffer : Self.smallBuffer) }
        if told.isLargeUpload != handle.settings.isLargeUpload {
            set(NK_OPT_UPLOAD_BUFFERSIZE, handle.settings.isLargeUpload ? Self.largeUploadBuffer : Self.smallUploadBuffer)
        }
        if told.forbidsReuse { set(NK_OPT_FORBID_REUSE, 0) }
        if let wait = request.continueWait, wait != told.continueWait { set(NK_OPT_EXPECT_100_TIMEOUT_MS, wait) }
        if told.isFresh != isFresh { set(NK_OPT_FRESH_CONNECT, isFresh ? 1 : 0) }
        if told.waitsForMultiplexing != waitsForMultiplexing {
            set(NK_OPT_PIPEWAIT, waitsForMultiplexing ? 1 : 0)
            // Where HTTP/2 may be spoken libcurl is listened to: see `HTTP2Remark`.
            set(NK_OPT_VERBOSE, waitsForMultiplexing ? 1 : 0)
        }
        if !told.isPlainGet {
            set(NK_OPT_HTTPGET, 1)
            nk_setopt_string(easy, Int32(NK_OPT_CUSTOMREQUEST), nil)
        }
        switch request.shape {
        case .get: break
        case .head: set(NK_OPT_NOBODY, 1)
        case .bodyless(let name): set(NK_OPT_CUSTOMREQUEST, name)
        case .upload(let name, let length):
            set(NK_OPT_UPLOAD, 1)
            nk_setopt_offset(easy, Int32(NK_OPT_INFILESIZE_LARGE), length)
            set(NK_OPT_CUSTOMREQUEST, name)
        }
    }

    /// Has the connection closed when the request that it carries is over.
    func forbidReuse() {
        handle.settings.forbidsReuse = true
        set(NK_OPT_FORBID_REUSE, 1)
    }

    private func set(_ option: Int, _ value: Int) { nk_setopt_long(easy, Int32(option), value) }
    private func set(_ option: Int, _ value: String) { nk_setopt_string(easy, Int32(option), value) }
}
#endif
