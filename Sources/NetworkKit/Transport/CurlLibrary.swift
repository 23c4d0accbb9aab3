#if canImport(CCurl)
internal import CCurl

/// What the libcurl at hand can do, asked once.
enum CurlLibrary {
    /// The version as one number: 7.88.1 is 0x075801.
    static let version: UInt32 = {
        // Not safe to call twice at once; a static's first use is.
        _ = curl_global_init(Int(NK_CURL_GLOBAL_DEFAULT))
        return nk_version().pointee.version_num
    }()

    /// Its version and that of its TLS library, as it names them itself.
    static var name: String {
        _ = version
        let info = nk_version().pointee
        return [info.version, info.ssl_version].compactMap { $0.map { String(cString: $0) } }.joined(separator: ", ")
    }

    /// `CURLOPT_PREREQFUNCTION`: tells before each sending, so that libcurl's own second sending can be stopped.
    static var hasPrerequest: Bool { version >= 0x075000 }
    /// `CURLOPT_QUICK_EXIT`: a handle can be let go of in mid-lookup without waiting for the resolver's thread. Where it is missing,
    /// such a handle is left to find its address, and kept from connecting to it.
    static var hasQuickExit: Bool { version >= 0x075700 }
}
#endif
