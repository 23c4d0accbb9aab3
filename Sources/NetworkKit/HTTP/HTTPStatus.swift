/// A status code (RFC 9110 §15).
public struct HTTPStatus: Sendable, Hashable, Comparable {
    /// The number, 100 to 999 in an answer. Numbers without a registered meaning are kept (RFC 9110 §15).
    public let code: Int

    /// A status by its number.
    public init(_ code: Int) { self.code = code }

    /// 100 to 199: the final answer is still to come.
    public var isInformational: Bool { code / 100 == 1 }
    /// 200 to 299: the request was understood and accepted.
    public var isSuccess: Bool { code / 100 == 2 }
    /// 300 to 399: further action is needed.
    public var isRedirection: Bool { code / 100 == 3 }
    /// 400 to 499: the request was at fault.
    public var isClientError: Bool { code / 100 == 4 }
    /// 500 to 599: the server was at fault.
    public var isServerError: Bool { code / 100 == 5 }

    /// Orders by number.
    public static func < (left: Self, right: Self) -> Bool { left.code < right.code }
}

extension HTTPStatus: ExpressibleByIntegerLiteral {
    /// A status as a literal: `404`.
    public init(integerLiteral value: Int) { code = value }
}

extension HTTPStatus {
    /// The registered phrase of the status, or `nil` for a number without one.
    public var reasonPhrase: String? { Self.phrases[code] }

    private static let phrases: [Int: String] = [
        100: "Continue", 101: "Switching Protocols", 102: "Processing", 103: "Early Hints",
        200: "OK", 201: "Created", 202: "Accepted", 203: "Non-Authoritative Information", 204: "No Content", 205: "Reset Content",
        206: "Partial Content", 207: "Multi-Status", 208: "Already Reported", 226: "IM Used",
        300: "Multiple Choices", 301: "Moved Permanently", 302: "Found", 303: "See Other", 304: "Not Modified",
        307: "Temporary Redirect", 308: "Permanent Redirect",
        400: "Bad Request", 401: "Unauthorized", 402: "Payment Required", 403: "Forbidden", 404: "Not Found",
        405: "Method Not Allowed", 406: "Not Acceptable", 407: "Proxy Authentication Required", 408: "Request Timeout",
        409: "Conflict", 410: "Gone", 411: "Length Required", 412: "Precondition Failed", 413: "Content Too Large",
        414: "URI Too Long", 415: "Unsupported Media Type", 416: "Range Not Satisfiable", 417: "Expectation Failed",
        421: "Misdirected Request", 422: "Unprocessable Content", 423: "Locked", 424: "Failed Dependency", 425: "Too Early",
        426: "Upgrade Required", 428: "Precondition Required", 429: "Too Many Requests",
        431: "Request Header Fields Too Large", 451: "Unavailable For Legal Reasons",
        500: "Internal Server Error", 501: "Not Implemented", 502: "Bad Gateway", 503: "Service Unavailable",
        504: "Gateway Timeout", 505: "HTTP Version Not Supported", 506: "Variant Also Negotiates", 507: "Insufficient Storage",
        508: "Loop Detected", 511: "Network Authentication Required",
    ]
}

extension HTTPStatus: CustomStringConvertible {
    /// The number and, where there is one, the phrase: `404 Not Found`.
    public var description: String { reasonPhrase.map { "\(code) \($0)" } ?? "\(code)" }
}
