#if !canImport(CCurl) || URLSession
internal import Foundation
internal import PlatformBase

#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif

extension URLRequest {
    /// The request in the platform's terms, without its body.
    init(_ request: HTTPRequest) {
        self.init(url: request.url, cachePolicy: .reloadIgnoringLocalCacheData, timeoutInterval: URLSessionLink.platformTimeout)
        httpMethod = request.method.name
        httpShouldHandleCookies = false
        for name in Set(request.headers.map(\.name)) {
            // The platform keeps one value a name. Cookies are joined in their own way (RFC 6265 §4.2.1).
            let values = request.headers[values: name].map { $0.trimmingSpaces() }
            setValue(values.joined(separator: name == .cookie ? "; " : ", "), forHTTPHeaderField: name.rawName)
        }
        // The platform asks for codings by itself, and a range would be one of coded bytes.
        if request.headers.contains(.range), !request.headers.contains(.acceptEncoding) {
            setValue("identity", forHTTPHeaderField: "Accept-Encoding")
        }
        // These say Content-Length: 0 where they have no body (RFC 9110 §8.6).
        if request.body == nil, ["POST", "PUT", "PATCH"].contains(request.method.name) { httpBody = Data() }
    }
}

/// The head of an answer in the library's terms.
struct PlatformHead {
    var head: ResponseHead
    /// How many bytes of body will come, when the answer says so and the platform doesn't decode them.
    let length: Int64?

    /// Reads what the platform tells.
    ///
    /// - Throws: ``RequestError/connection(_:)`` of kind `malformed` when nobody can say how long its body is.
    init(_ response: HTTPURLResponse, of request: HTTPRequest) throws(RequestError) {
        var fields = Self.fields(of: response)
        let status = HTTPStatus(response.statusCode)
        let hasBody = request.method != .head && ![204, 304].contains(status.code)
        var length: Int64? = 0
        if hasBody {
            // Chunks, and what the platform decodes, have another length than that of the field (RFC 9112 §6.3).
            let declared = fields.contains(.transferEncoding) ? nil : try ContentLength.value(fields[values: .contentLength])
            length = fields.contains(.contentEncoding) ? nil : declared
        }
        if hasBody, Self.isDecoded(fields[.contentEncoding]) {
            fields.removeAll(.contentEncoding)
            fields.removeAll(.contentLength)
        }
        head = ResponseHead(status: status, headers: fields, url: request.url)
        self.length = length
    }

    /// As it is handed over, with what is known of the request by then.
    func received(_ metrics: RequestMetrics) -> ReceivedHead { ReceivedHead(head: head, length: length, metrics: metrics) }

    /// Why there can't be a second head.
    var anew: String {
        if let type = head.headers[.contentType], MediaType(type)?.essence == "multipart/x-mixed-replace" {
            return "the answer is multipart/x-mixed-replace, of which URLSessionTransport gives no more than the first part"
        }
        return "the platform began the answer anew, and what has come can't be told from what comes"
    }

    /// The fields, in the order of their names: the platform has lost that in which they came.
    static func fields(of response: HTTPURLResponse) -> HTTPFields {
        var fields = HTTPFields()
        for case let (name as String, value as String) in response.allHeaderFields.sorted(by: { "\($0.key)" < "\($1.key)" }) {
            let name = HTTPField.Name(name)
            for value in name == .setCookie ? Self.cookies(value) : [value] { fields.append(HTTPField(name: name, value: value)) }
        }
        return fields
    }

    /// Whether the platform decodes a body of such codings, and then leaves fields that are no longer true.
    private static func isDecoded(_ codings: String?) -> Bool {
        var known: Set = ["gzip", "x-gzip", "deflate", "br"]
        #if canImport(FoundationNetworking)
        known.insert("zstd")
        #endif
        guard let codings = codings?.split(separator: ",").map({ $0.trimmingSpaces().lowercased() }).filter({ $0 != "identity" }) else {
            return false
        }
        return !codings.isEmpty && codings.allSatisfy(known.contains)
    }

    /// Several `Set-Cookie` fields that the platform has joined. A comma may also stand in a date, but then no name and `=` follow
    /// it (RFC 6265 §4.1.1).
    static func cookies(_ joined: String) -> [String] {
        var cookies: [String] = []
        for part in joined.split(separator: ",", omittingEmptySubsequences: false) {
            let name = part.prefix { $0 != "=" && $0 != ";" }
            let beginsCookie = name.endIndex < part.endIndex && part[name.endIndex] == "=" && Token.isValid(name.trimmingSpaces())
            if beginsCookie || cookies.isEmpty {
                cookies.append(part.trimmingSpaces())
            } else {
                cookies[cookies.count - 1] += "," + part
            }
        }
        return cookies
    }
}

extension RequestError {
    /// What the platform says of a task that failed.
    ///
    /// - Parameter isReused: whether it is known that its connection was kept from an earlier request.
    init(_ error: any Error, isHeadThere: Bool, isReused: Bool = false) {
        let words = error.localizedDescription
        func connection(_ kind: Connection.Kind, _ reason: String? = nil) -> RequestError {
            .connection(.init(.init(kind: kind), reason: reason ?? words, underlying: error))
        }
        // The peer has cut the connection: an answer that had begun, or one that it may never have meant to give any more.
        let cut =
            isReused && !isHeadThere ? connection(.stale, "a kept connection was closed before it answered: \(words)") : connection(.reset)
        guard let code = (error as? URLError)?.code else {
            let error = error as NSError
            switch (error.domain, error.code) {
            case (NSPOSIXErrorDomain, let code):
                switch Int32(clamping: code) {
                case ECONNRESET, ECONNABORTED, EPIPE, ENOTCONN: self = cut
                case ECONNREFUSED: self = connection(.refused)
                case ETIMEDOUT: self = .timedOut(.init(reason: words, underlying: error))
                default: self = connection(.other)
                }
            // SOCKS, and proxies of HTTP and HTTPS; CFNetworkErrors names them one by one.
            case ("kCFErrorDomainCFNetwork", 100...124), ("kCFErrorDomainCFNetwork", 306...311): self = connection(.proxy)
            default: self = .unknown(.init(reason: words, underlying: error))
            }
            return
        }
        switch code {
        case .timedOut: self = .timedOut(.init(reason: words, underlying: error))
        case .unsupportedURL where words.contains("HTTP/0.9"): self = connection(.malformed)
        case .badURL, .unsupportedURL: self = .invalidURL(.init(reason: words, underlying: error))
        case .cannotFindHost, .dnsLookupFailed: self = connection(.nameLookup)
        case .cannotConnectToHost: self = connection(.refused)
        case .networkConnectionLost: self = cut
        case .secureConnectionFailed, .serverCertificateHasBadDate, .serverCertificateUntrusted, .serverCertificateHasUnknownRoot,
            .serverCertificateNotYetValid, .clientCertificateRejected, .clientCertificateRequired:
            self = connection(.tls)
        case .badServerResponse where !isHeadThere, .zeroByteResource: self = .noResponse(.init(reason: words, underlying: error))
        case .badServerResponse, .cannotParseResponse, .httpTooManyRedirects: self = connection(.malformed)
        case .cannotDecodeRawData, .cannotDecodeContentData:
            self = .integrity(.init(reason: "the body is not valid in its coding: \(words)", underlying: error))
        case .requestBodyStreamExhausted:
            self = connection(.stale, "the connection was closed before it answered, and the body stream can't be read again: \(words)")
        case .cancelled:
            // Not the caller's doing: who cancels doesn't wait for the platform to tell.
            #if canImport(Security)
            self = connection(.tls, "the server isn't trusted: its certificate, or its key where keys are pinned; see TLSOptions")
            #else
            self = connection(.other, "the platform gave the request up, as it does when a challenge of the server is turned down")
            #endif
        // On Linux all of these have one code; only the words, libcurl's, tell.
        case .unknown where words.contains("transfer closed"): self = connection(.truncated)
        case .unknown where words.contains("hunk"): self = connection(.malformed)
        case .unknown where words.contains("SSL") || words.contains("certificate"): self = connection(.tls)
        default: self = connection(.other)
        }
    }
}
#endif
