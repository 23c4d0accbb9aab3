#if canImport(CCurl)
internal import CCurl
internal import PlatformBase

/// From a request to libcurl's options.
struct CurlSetup {
    private let handle: CurlHandle
    private let context: UnsafeMutableRawPointer

    init(_ handle: CurlHandle, context: UnsafeMutableRawPointer) {
        self.handle = handle
        self.context = context
    }

    /// What is the same for all requests of a transport.
    func connection(_ options: CurlTransport.Options, isHTTPS: Bool) {
        set(NK_OPT_NOSIGNAL, 1)
        set(NK_OPT_PROTOCOLS, Int(NK_PROTO_HTTP_AND_HTTPS))
        set(NK_OPT_PATH_AS_IS, 1)
        set(NK_OPT_FOLLOWLOCATION, 0)
        set(NK_OPT_HTTP09_ALLOWED, 0)
        set(NK_OPT_SUPPRESS_CONNECT_HEADERS, 1)
        set(NK_OPT_TCP_NODELAY, 1)
        // The loop times connecting and silences itself; libcurl's own limit, 5 minutes, must not come first.
        set(NK_OPT_CONNECTTIMEOUT_MS, Int(Int32.max))
        set(NK_OPT_MAXAGE_CONN, Int(options.idleLifetime.components.seconds))
        set(NK_OPT_HTTP_VERSION, Int(options.offersHTTP2 ? NK_HTTP_VERSION_2TLS : NK_HTTP_VERSION_1_1))
        // Many requests at once wait for the first connection to say whether it carries them all.
        if isHTTPS && options.offersHTTP2 { set(NK_OPT_PIPEWAIT, 1) }
        if options.usesQuickExit { set(NK_OPT_QUICK_EXIT, 1) } else { guardSockets() }
        if isHTTPS { tls(options.tls) }
        switch options.proxy {
        case .environment: break
        case .none: set(NK_OPT_PROXY, "")
        case .url(let url): set(NK_OPT_PROXY, url)
        }
    }

    /// Lets a job that has been abandoned in its lookup open no connection.
    private func guardSockets() {
        nk_setopt_pointer(handle.easy, Int32(NK_OPT_OPENSOCKETDATA), context)
        nk_setopt_socket_callback(handle.easy, Int32(NK_OPT_OPENSOCKETFUNCTION)) { context, _, address in
            guard let context, let address, !CurlJob.at(context).isAbandoned else { return Int32(NK_CURL_SOCKET_BAD) }
            return socket(address.pointee.family, address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue), address.pointee.protocol)
        }
    }

    private func tls(_ options: TLSOptions) {
        set(NK_OPT_SSL_VERIFYPEER, 1)
        set(NK_OPT_SSL_VERIFYHOST, 2)
        set(NK_OPT_SSLVERSION, Int(options.minimumVersion == .v1_3 ? NK_SSLVERSION_TLSv1_3 : NK_SSLVERSION_TLSv1_2))
        if let file = options.authorityFile {
            set(NK_OPT_CAINFO, file)
            nk_setopt_string(handle.easy, Int32(NK_OPT_CAPATH), nil)
        }
    }

    func callbacks() {
        let easy = handle.easy
        nk_setopt_pointer(easy, Int32(NK_OPT_ERRORBUFFER), handle.errorText)
        nk_setopt_pointer(easy, Int32(NK_OPT_PRIVATE), context)
        nk_setopt_pointer(easy, Int32(NK_OPT_HEADERDATA), context)
        nk_setopt_data_callback(easy, Int32(NK_OPT_HEADERFUNCTION)) { bytes, size, count, context in
            guard let context else { return 0 }
            let length = size * count
            return CurlJob.at(context).received(line: UnsafeRawBufferPointer(start: bytes, count: length)) ? length : 0
        }
        nk_setopt_pointer(easy, Int32(NK_OPT_WRITEDATA), context)
        nk_setopt_data_callback(easy, Int32(NK_OPT_WRITEFUNCTION)) { bytes, size, count, context in
            guard let context else { return 0 }
            let length = size * count
            return switch CurlJob.at(context).received(body: UnsafeRawBufferPointer(start: bytes, count: length)) {
            case .taken: length
            case .pause: Int(NK_CURL_WRITEFUNC_PAUSE)
            case .stop: 0
            }
        }
        nk_setopt_pointer(easy, Int32(NK_OPT_READDATA), context)
        nk_setopt_data_callback(easy, Int32(NK_OPT_READFUNCTION)) { buffer, size, count, context in
            guard let context else { return 0 }
            return CurlJob.at(context).fill(UnsafeMutableRawBufferPointer(start: buffer, count: size * count))
        }
        // libcurl would rewind a body to send a request again by itself, which is ours to decide.
        nk_setopt_seek_callback(easy, Int32(NK_OPT_SEEKFUNCTION)) { _, _, _ in Int32(NK_CURL_SEEKFUNC_FAIL) }
        if CurlLibrary.hasPrerequest {
            nk_setopt_pointer(easy, Int32(NK_OPT_PREREQDATA), context)
            nk_setopt_prereq_callback(easy, Int32(NK_OPT_PREREQFUNCTION)) { context, _, _, _, _ in
                guard let context, CurlJob.at(context).willSend() else { return Int32(NK_CURL_PREREQFUNC_ABORT) }
                return Int32(NK_CURL_PREREQFUNC_OK)
            }
        }
    }

    func freshConnection(_ isFresh: Bool) {
        if isFresh { set(NK_OPT_FRESH_CONNECT, 1) }
    }

    func target(_ request: HTTPRequest) {
        var text = request.url.absoluteString
        if let hash = text.firstIndex(of: "#") { text.removeSubrange(hash...) }
        set(NK_OPT_URL, text)
    }

    /// Method and framing. `PUT`, `POST` and `PATCH` say `Content-Length: 0` where they have no body (RFC 9110 §8.6).
    func method(_ request: HTTPRequest) {
        if request.body != nil || ["POST", "PUT", "PATCH"].contains(request.method.name) {
            set(NK_OPT_UPLOAD, 1)
            let length = request.body.map { $0.length ?? -1 } ?? 0
            nk_setopt_offset(handle.easy, Int32(NK_OPT_INFILESIZE_LARGE), length)
            set(NK_OPT_CUSTOMREQUEST, request.method.name)
        } else if request.method == .head {
            set(NK_OPT_NOBODY, 1)
        } else if request.method != .get {
            set(NK_OPT_CUSTOMREQUEST, request.method.name)
        }
    }

    /// The fields as they are, and none of libcurl's own making. Gives what must be freed when the transfer is over.
    func headers(_ request: HTTPRequest) -> [UnsafeMutablePointer<curl_slist>] {
        var list: UnsafeMutablePointer<curl_slist>?
        var suppressed: [HTTPField.Name] = [.accept, .contentType, .expect]
        for field in request.headers {
            suppressed.removeAll { $0 == field.name }
            let value = field.value.trimmingSpaces()
            // libcurl's way to say a field without a value.
            list = curl_slist_append(list, value.isEmpty ? "\(field.name);" : "\(field.name): \(value)") ?? list
        }
        for name in suppressed { list = curl_slist_append(list, "\(name):") ?? list }
        nk_setopt_list(handle.easy, Int32(NK_OPT_HTTPHEADER), list)
        return list.map { [$0] } ?? []
    }

    private func set(_ option: Int, _ value: Int) { nk_setopt_long(handle.easy, Int32(option), value) }
    private func set(_ option: Int, _ value: String) { nk_setopt_string(handle.easy, Int32(option), value) }
}
#endif
