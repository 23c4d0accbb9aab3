public import PlatformBase

/// Traffic as an HTTP archive, version 1.2: what browsers and proxies write and show.
///
/// ```swift
/// let archive = try HAR(json: Data(contentsOf: file))
/// for entry in archive.entries { print(entry.request.method, entry.request.url, entry.response.status) }
/// ```
///
/// Reading asks for no more than a request's method and URL and an answer's status: what other programs leave out has a default, what
/// they add is passed over. Writing leaves out what is `nil`.
public struct HAR: Sendable, Hashable, Codable {
    /// The one object of an archive.
    public var log: Log

    /// An archive of this library's.
    public init(entries: [Entry] = []) { log = Log(entries: entries) }

    /// The exchanges, in order.
    public var entries: [Entry] {
        get { log.entries }
        set { log.entries = newValue }
    }

    /// Reads an archive.
    ///
    /// - Throws: ``RequestError/decode(_:)`` with the place that is at fault.
    public init(json: Data) throws(RequestError) {
        do {
            // The mark that some programs put in front is none of JSON's (RFC 8259 §8.1).
            self = try JSONDecoder().decode(HAR.self, from: json.starts(with: [0xEF, 0xBB, 0xBF]) ? json.dropFirst(3) : json)
        } catch let error as DecodingError {
            let (path, reason) = Self.place(of: error)
            throw .decode(.init(.init(codingPath: path), reason: "no HTTP archive: \(reason)", underlying: error))
        } catch {
            throw .decode(.init(reason: "no HTTP archive: \(error)", underlying: error))
        }
    }

    private static func place(of error: DecodingError) -> (path: String, reason: String) {
        switch error {
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
            (CodingPath.text(context.codingPath), context.debugDescription)
        case .keyNotFound(let key, let context): (CodingPath.text(context.codingPath), "there is no key \(Token.quoted(key.stringValue))")
        @unknown default: ("", "\(error)")
        }
    }

    /// The archive as JSON, laid out for people, keys in the order of the alphabet, so that two of them can be compared.
    public var json: Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        encoder.nonConformingFloatEncodingStrategy = .convertToString(positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        // Texts and numbers, and with that strategy all of them, have a JSON form.
        return (try? encoder.encode(self)) ?? Data()
    }
}

extension HAR {
    /// What an archive says of itself, and its exchanges.
    public struct Log: Sendable, Hashable, Codable {
        /// The version of the format.
        public var version = "1.2"
        /// The program that wrote it.
        public var creator = Creator(name: "NetworkKit", version: NetworkKitVersion.current)
        /// The exchanges, in order.
        public var entries: [Entry]
        /// A remark.
        public var comment: String?

        /// A log of this library's.
        public init(entries: [Entry]) { self.entries = entries }

        /// Reads a log; only `entries` must be there.
        public init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            entries = try values.decode([Entry].self, forKey: .entries)
            version = try values.decodeIfPresent(String.self, forKey: .version) ?? version
            creator = try values.decodeIfPresent(Creator.self, forKey: .creator) ?? Creator(name: "", version: "")
            comment = try values.decodeIfPresent(String.self, forKey: .comment)
        }
    }

    /// The program that wrote an archive.
    public struct Creator: Sendable, Hashable, Codable {
        /// Its name.
        public var name: String
        /// Its version.
        public var version: String

        /// A program.
        public init(name: String, version: String) {
            self.name = name
            self.version = version
        }

        /// Reads a program; what is missing is empty.
        public init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            name = try values.decodeIfPresent(String.self, forKey: .name) ?? ""
            version = try values.decodeIfPresent(String.self, forKey: .version) ?? ""
        }
    }

    /// One request and its answer.
    public struct Entry: Sendable, Hashable, Codable {
        /// When the request began, by RFC 3339.
        public var startedDateTime: String
        /// How long all of it took, in milliseconds: the sum of ``timings``.
        public var time: Double
        /// The request.
        public var request: Request
        /// The answer.
        public var response: Response
        /// What a cache knew; always empty here, as most programs write it.
        public var cache = Cache()
        /// Where the time went.
        public var timings: Timings
        /// A remark.
        public var comment: String?

        /// An exchange.
        public init(started: Date, request: Request, response: Response, timings: Timings = .init(), comment: String? = nil) {
            startedDateTime = started.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
            time = timings.total
            self.request = request
            self.response = response
            self.timings = timings
            self.comment = comment
        }

        /// Reads an exchange; only `request` and `response` must be there.
        public init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            request = try values.decode(Request.self, forKey: .request)
            response = try values.decode(Response.self, forKey: .response)
            startedDateTime = try values.decodeIfPresent(String.self, forKey: .startedDateTime) ?? ""
            timings = try values.decodeIfPresent(Timings.self, forKey: .timings) ?? Timings()
            time = try values.decodeIfPresent(Double.self, forKey: .time) ?? timings.total
            comment = try values.decodeIfPresent(String.self, forKey: .comment)
        }

        /// When the request began; `nil` where that isn't said, or in another form than that of RFC 3339.
        public var started: Date? { RFC3339.date(startedDateTime) }
    }

    /// An object without members.
    public struct Cache: Sendable, Hashable, Codable {
        /// Nothing known.
        public init() {}
    }

    /// A name and a value: of a field, of a query, of a form.
    public struct Pair: Sendable, Hashable, Codable {
        /// The name.
        public var name: String
        /// The value.
        public var value: String

        /// A name and a value.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }

        /// Reads a pair; a value that is missing is empty, as a file's is in a form.
        public init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            name = try values.decode(String.self, forKey: .name)
            value = try values.decodeIfPresent(String.self, forKey: .value) ?? ""
        }
    }

    /// Where the time of an exchange went, in milliseconds; -1 for what didn't happen or isn't known.
    public struct Timings: Sendable, Hashable, Codable {
        /// Waiting for a connection.
        public var blocked: Double = -1
        /// Looking the name up.
        public var dns: Double = -1
        /// Connecting, TLS included.
        public var connect: Double = -1
        /// Agreeing on TLS, a part of ``connect``.
        public var ssl: Double = -1
        /// Sending the request.
        public var send: Double = 0
        /// Waiting for the answer's first byte.
        public var wait: Double = 0
        /// Reading the answer.
        public var receive: Double = 0

        /// Nothing measured.
        public init() {}

        /// Reads timings; what is missing isn't known.
        public init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            blocked = try values.decodeIfPresent(Double.self, forKey: .blocked) ?? -1
            dns = try values.decodeIfPresent(Double.self, forKey: .dns) ?? -1
            connect = try values.decodeIfPresent(Double.self, forKey: .connect) ?? -1
            ssl = try values.decodeIfPresent(Double.self, forKey: .ssl) ?? -1
            send = try values.decodeIfPresent(Double.self, forKey: .send) ?? 0
            wait = try values.decodeIfPresent(Double.self, forKey: .wait) ?? 0
            receive = try values.decodeIfPresent(Double.self, forKey: .receive) ?? 0
        }

        /// The sum of what is known. TLS is a part of connecting, and counts once.
        public var total: Double { [blocked, dns, connect, send, wait, receive].reduce(0) { $0 + max($1, 0) } }
    }
}
