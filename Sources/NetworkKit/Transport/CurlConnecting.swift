#if canImport(CCurl)
internal import CCurl
internal import PlatformBase

/// An option that the libcurl at hand won't take.
struct CurlRefusal {
    let what: String
    let kind: RequestError.Connection.Kind
    let code: CURLcode

    var reason: String { String(cString: curl_easy_strerror(code)) }
}

/// Whom to connect to and whom to trust. Here libcurl's answer counts: an option that it passes over would leave a connection less safe than
/// it was meant to be, or lead it elsewhere.
struct CurlConnecting {
    let easy: UnsafeMutableRawPointer

    /// What libcurl refuses of the options, told to a handle that is made for the question.
    static func refusal(of options: CurlTransport.Options) -> CurlRefusal? {
        // A transport with nothing of this is made without a question.
        guard options.tls != TLSOptions() || options.proxy != .environment || options.unixSocket != nil || !options.addresses.isEmpty,
            CurlLibrary.version > 0, let easy = curl_easy_init()
        else { return nil }
        let addresses = list(of: options.addresses)
        defer {
            curl_easy_cleanup(easy)
            curl_slist_free_all(addresses)
        }
        return CurlConnecting(easy: easy).refusal(of: options, addresses: addresses)
    }

    /// Names with their addresses, as a list of libcurl's; `nil` where there are none, or no memory.
    static func list(of addresses: [String: [String]]) -> UnsafeMutablePointer<curl_slist>? {
        guard !addresses.isEmpty, let lines = try? HostAddresses(addresses).lines else { return nil }
        var list: UnsafeMutablePointer<curl_slist>?
        for line in lines {
            guard let longer = curl_slist_append(list, line) else {
                curl_slist_free_all(list)
                return nil
            }
            list = longer
        }
        return list
    }

    /// Sets what belongs to the connection; the first thing that libcurl refuses, or `nil`.
    func refusal(of options: CurlTransport.Options, addresses: UnsafeMutablePointer<curl_slist>?) -> CurlRefusal? {
        let settings = tls(options.tls) + proxy(options) + place(options, addresses)
        return settings.first { $0.code != NK_E_OK }
    }

    private func tls(_ options: TLSOptions) -> [CurlRefusal] {
        func asked(_ what: String, _ code: CURLcode) -> CurlRefusal { CurlRefusal(what: what, kind: .tls, code: code) }
        let version = Int(options.minimumVersion == .v1_3 ? NK_SSLVERSION_TLSv1_3 : NK_SSLVERSION_TLSv1_2)
        var settings = [
            asked("verified certificates", set(NK_OPT_SSL_VERIFYPEER, 1)),
            asked("verified names", set(NK_OPT_SSL_VERIFYHOST, 2)),
            asked("a lowest version of TLS", set(NK_OPT_SSLVERSION, version)),
        ]
        if let file = options.authorityFile {
            settings.append(asked("an authority file", set(NK_OPT_CAINFO, file)))
            set(NK_OPT_CAPATH, nil)
        }
        if let pins = options.pins {
            // One that isn't whole would be the name of a file to libcurl, and match nothing.
            settings.append(asked("pinned public keys", set(NK_OPT_PINNEDPUBLICKEY, pins.joined(separator: ";"))))
        }
        if let certificate = options.clientCertificate {
            settings += [
                asked("a client certificate", set(NK_OPT_SSLCERT, certificate.file)),
                asked("a client certificate in \(certificate.format.rawValue)", set(NK_OPT_SSLCERTTYPE, certificate.typeName)),
                // Without one, OpenSSL would ask whoever sits at the terminal, and the loop would wait for the answer.
                asked("a passphrase", set(NK_OPT_KEYPASSWD, certificate.passphrase ?? "")),
            ]
            if let key = certificate.keyFile { settings.append(asked("a client certificate's key", set(NK_OPT_SSLKEY, key))) }
        }
        return settings
    }

    private func proxy(_ options: CurlTransport.Options) -> [CurlRefusal] {
        func asked(_ what: String, _ code: CURLcode) -> CurlRefusal { CurlRefusal(what: what, kind: .proxy, code: code) }
        switch options.proxy.choice {
        case .environment where options.unixSocket == nil: break
        case .environment, .none: return [asked("no proxy", set(NK_OPT_PROXY, ""))]
        case .url(let url, let user, let password, let except):
            guard let address = try? ProxyAddress(url, user: user, password: password, except: except) else {
                return [asked("this proxy", CURLcode(NK_E_PROXY))]
            }
            var settings = [
                asked("a proxy", set(NK_OPT_PROXY, address.url)),
                // Also when it is empty: otherwise the environment's no_proxy would count.
                asked("exceptions from the proxy", set(NK_OPT_NOPROXY, address.exceptions)),
            ]
            if let credentials = address.credentials {
                settings += [
                    asked("a proxy's credentials", set(NK_OPT_PROXYUSERNAME, credentials.user)),
                    asked("a proxy's credentials", set(NK_OPT_PROXYPASSWORD, credentials.password)),
                ]
            }
            return settings + tlsToProxy(options, isAsked: address.url.hasPrefix("https:"))
        }
        return tlsToProxy(options, isAsked: false)
    }

    /// A proxy that is spoken to by TLS is trusted as servers are. The environment may name such a one, too; a libcurl that knows of none
    /// refuses it then.
    private func tlsToProxy(_ options: CurlTransport.Options, isAsked: Bool) -> [CurlRefusal] {
        let version = Int(options.tls.minimumVersion == .v1_3 ? NK_SSLVERSION_TLSv1_3 : NK_SSLVERSION_TLSv1_2)
        var codes = [set(NK_OPT_PROXY_SSLVERSION, version)]
        if let file = options.tls.authorityFile {
            codes.append(set(NK_OPT_PROXY_CAINFO, file))
            set(NK_OPT_PROXY_CAPATH, nil)
        }
        return isAsked ? codes.map { CurlRefusal(what: "TLS with a proxy", kind: .proxy, code: $0) } : []
    }

    private func place(_ options: CurlTransport.Options, _ addresses: UnsafeMutablePointer<curl_slist>?) -> [CurlRefusal] {
        var settings: [CurlRefusal] = []
        if let path = options.unixSocket {
            settings.append(CurlRefusal(what: "a Unix socket", kind: .other, code: set(NK_OPT_UNIX_SOCKET_PATH, path)))
        }
        if !options.addresses.isEmpty {
            let code = addresses == nil ? CURLcode(NK_E_OUT_OF_MEMORY) : nk_setopt_list(easy, Int32(NK_OPT_RESOLVE), addresses)
            settings.append(CurlRefusal(what: "addresses for names", kind: .nameLookup, code: code))
        }
        return settings
    }

    @discardableResult
    private func set(_ option: Int, _ value: Int) -> CURLcode { nk_setopt_long(easy, Int32(option), value) }
    @discardableResult
    private func set(_ option: Int, _ value: String?) -> CURLcode { nk_setopt_string(easy, Int32(option), value) }
}

extension TLSOptions.ClientCertificate {
    /// The format by libcurl's name.
    fileprivate var typeName: String {
        switch format {
        case .pem: "PEM"
        case .pkcs12: "P12"
        }
    }
}
#endif
