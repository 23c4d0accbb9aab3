/// What one kind of ``RequestError`` says beyond the story that all tell. Every fact has a default.
public protocol ErrorFacts: Sendable {
    /// The facts of an error made without any, as tests do.
    init()
}

extension RequestError {
    /// For kinds whose story says it all.
    public struct NoFacts: ErrorFacts {
        /// Nothing.
        public init() {}
    }

    /// Why an endpoint gives no URL.
    public struct InvalidURL: ErrorFacts {
        /// A part of a URL (RFC 3986 §3).
        public enum Component: String, Sendable {
            /// `http` or `https`.
            case scheme
            /// Name and password in front of the host.
            case userInfo
            /// The server's name or address.
            case host
            /// The number behind the host.
            case port
            /// The path of the base URL or of the endpoint.
            case path
            /// The query of the endpoint.
            case query
            /// The URL as a whole.
            case whole
        }

        /// Which part is at fault.
        public var component: Component

        /// The default: the URL as a whole.
        public init() { self.init(component: .whole) }
        /// A fault in one part.
        public init(component: Component) { self.component = component }
    }

    /// Why a request has no bytes.
    public struct Encode: ErrorFacts {
        /// A part of a request.
        public enum Part: Sendable, Hashable {
            /// The method's name.
            case method
            /// A field's name.
            case fieldName
            /// The value of the field so named.
            case fieldValue(HTTPField.Name)
            /// The body.
            case body
            /// The fields that say where the body ends: `Content-Length` and `Transfer-Encoding`.
            case framing
        }

        /// Which part is at fault.
        public var part: Part
        /// Where in the value that was to be encoded, such as `orders[2].total`; empty when the fault isn't in a value.
        public var codingPath: String

        /// The default: the body.
        public init() { self.init(part: .body) }
        /// A fault in one part.
        public init(part: Part, codingPath: String = "") {
            self.part = part
            self.codingPath = codingPath
        }
    }

    /// Why a body isn't the model.
    public struct Decode: ErrorFacts {
        /// Where in the body, such as `results[3].runtime`; empty at the top.
        public var codingPath: String
        /// The type that was expected there.
        public var expectedType: String
        /// The piece of the body around that place, at most 200 characters, secrets masked when it is described.
        public var excerpt: String
        /// The number of the line, from 1, where each line is a value of its own; the excerpt is its beginning then.
        public var line: Int?

        /// The default: nothing known.
        public init() { self.init(codingPath: "") }
        /// A fault at one place.
        public init(codingPath: String, expectedType: String = "", excerpt: String = "", line: Int? = nil) {
            self.codingPath = codingPath
            self.expectedType = expectedType
            self.excerpt = excerpt
            self.line = line
        }
    }

    /// Why a connection failed.
    public struct Connection: ErrorFacts {
        /// The ways in which a connection fails.
        #if hasAttribute(nonexhaustive)
        @nonexhaustive
        #endif
        public enum Kind: String, Sendable {
            /// The host's name has no address, or no name server answered.
            case nameLookup
            /// Nobody listens at that address and port.
            case refused
            /// The peer cut the connection.
            case reset
            /// The answer ended before its end.
            case truncated
            /// A kept connection died before it answered, and the request may not be sent again by itself.
            case stale
            /// TLS failed: an untrusted, expired or foreign certificate, no common version, or a peer that doesn't speak TLS.
            case tls
            /// The proxy can't be reached or refused.
            case proxy
            /// What came is no valid HTTP.
            case malformed
            /// Another failure.
            case other
        }

        /// Which way it failed.
        public var kind: Kind

        /// The default: another failure.
        public init() { self.init(kind: .other) }
        /// A failure of one kind.
        public init(kind: Kind) { self.kind = kind }
    }

    /// Which time ran out.
    public struct TimedOut: ErrorFacts {
        /// The limits on time.
        public enum Limit: String, Sendable {
            /// Connecting, or a silence of the peer, in one attempt: ``RequestOptions/timeout``.
            case attempt
            /// The whole call: ``RequestOptions/deadline``.
            case deadline
        }

        /// Which limit it was.
        public var limit: Limit
        /// How long the limit is.
        public var after: Duration?

        /// The default: one attempt.
        public init() { self.init(limit: .attempt) }
        /// A limit reached.
        public init(limit: Limit, after: Duration? = nil) {
            self.limit = limit
            self.after = after
        }
    }

    /// How large is too large.
    public struct TooLarge: ErrorFacts {
        /// The limit in bytes.
        public var limit: Int
        /// The length in bytes that the server declared, if it did.
        public var declared: Int64?

        /// The default: no limit known.
        public init() { self.init(limit: 0) }
        /// A limit passed.
        public init(limit: Int, declared: Int64? = nil) {
            self.limit = limit
            self.declared = declared
        }
    }

    /// Why a redirect isn't followed.
    public struct Redirect: ErrorFacts {
        /// The reasons.
        #if hasAttribute(nonexhaustive)
        @nonexhaustive
        #endif
        public enum Fault: String, Sendable {
            /// More redirects in a row than ``RedirectPolicy`` allows.
            case tooMany
            /// From https to http.
            case insecure
            /// To another scheme than http and https.
            case scheme
            /// To what is no URL.
            case location
            /// To another origin, with a body that holds a secret.
            case secret
        }

        /// The reason.
        public var fault: Fault
        /// Where the redirect would have led. Secrets in it are masked when it is described.
        public var location: String

        /// The default: no valid location.
        public init() { self.init(fault: .location) }
        /// A redirect not followed.
        public init(fault: Fault, location: String = "") {
            self.fault = fault
            self.location = location
        }
    }

    /// What refused, and until when.
    public struct Rejected: ErrorFacts {
        /// How long to wait before trying again, when known.
        public var retryAfter: Duration?

        /// The default: unknown.
        public init() { self.init(retryAfter: nil) }
        /// A refusal that says when to come back.
        public init(retryAfter: Duration?) { self.retryAfter = retryAfter }
    }

    /// Which file, and what the system said of it.
    public struct File: ErrorFacts {
        /// The path.
        public var path: String
        /// The system's error number, 0 when there is none.
        public var code: Int32

        /// The default: no file known.
        public init() { self.init(path: "") }
        /// A fault with one file.
        public init(path: String, code: Int32 = 0) {
            self.path = path
            self.code = code
        }
    }

    /// What the bytes should have been.
    public struct Integrity: ErrorFacts {
        /// What was promised: a checksum or a coding.
        public var expected: String
        /// What came.
        public var actual: String

        /// The default: nothing known.
        public init() { self.init(expected: "", actual: "") }
        /// A promise broken.
        public init(expected: String, actual: String) {
            self.expected = expected
            self.actual = actual
        }
    }

    /// Where a stream is at fault.
    public struct StreamFault: ErrorFacts {
        /// The place, counted as the stream counts: a line's number, an event's, a byte's.
        public var position: Int
        /// The piece of the stream at that place, at most 200 characters.
        public var excerpt: String

        /// The default: the start.
        public init() { self.init(position: 0) }
        /// A fault at one place.
        public init(position: Int, excerpt: String = "") {
            self.position = position
            self.excerpt = excerpt
        }
    }
}
