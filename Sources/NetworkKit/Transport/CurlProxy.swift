#if canImport(CCurl)
extension CurlTransport.Options {
    /// Which proxy requests go through. Its user name and password are secrets, which no description shows; they go to the proxy alone.
    public struct Proxy: Sendable, Hashable {
        enum Choice: Sendable, Hashable {
            case environment
            case none
            case url(String, user: String?, password: String?, except: [String])
        }

        let choice: Choice

        /// What `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy` say, as curl reads them: `http_proxy` in small letters only, names
        /// in `no_proxy` matched at label boundaries, addresses by CIDR, `*` for none at all. They are read for every request, and user
        /// name and password may stand in their URLs.
        public static let environment = Proxy(choice: .environment)
        /// None, whatever the environment says.
        public static let none = Proxy(choice: .none)

        /// The proxy at a URL. What the environment says counts for nothing then, `no_proxy` included.
        ///
        /// Requests for `https` go through it by CONNECT, and see nothing of the credentials; those for `http` are given to it whole.
        ///
        /// - Parameters:
        ///   - url: where it listens, with its port: `http://proxy.example:3128`. Of `https` TLS is spoken with the proxy itself; `socks4`,
        ///     `socks4a`, `socks5` and `socks5h` are known too. User name and password may stand in it, percent-encoded.
        ///   - user: the user's name as it is, where it doesn't stand in the URL.
        ///   - password: the password as it is.
        ///   - except: hosts that are reached without the proxy: `example.com` with all names below it, an address, or a CIDR range such
        ///     as `10.0.0.0/8`; `*` for all.
        public static func url(_ url: String, user: String? = nil, password: String? = nil, except: [String] = []) -> Proxy {
            Proxy(choice: .url(url, user: user, password: password, except: except))
        }
    }
}

extension CurlTransport.Options.Proxy: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Which proxy, without its credentials.
    public var description: String {
        switch choice {
        case .environment: return "environment"
        case .none: return "none"
        case .url(let text, _, _, _):
            var reference = URIReference(text)
            reference.authority = reference.authority.map { Authority($0).text }
            return reference.authority == nil ? SecretValues.mask : reference.text
        }
    }
    /// The same as `description`.
    public var debugDescription: String { description }
    /// What `dump` sees: the description.
    public var customMirror: Mirror { Mirror(self, children: ["proxy": description]) }
}
#endif
