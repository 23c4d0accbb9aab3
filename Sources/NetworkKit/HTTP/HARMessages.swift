public import PlatformBase

extension HAR {
    /// A request in an archive.
    public struct Request: Sendable, Hashable, Codable {
        /// The method.
        public var method: String
        /// The whole URL, without a fragment.
        public var url: String
        /// The version of the protocol, such as `HTTP/1.1`.
        public var httpVersion = ""
        /// Cookies, as some programs show them apart. This library leaves them in the fields.
        public var cookies: [Pair] = []
        /// The fields, in order, repeated ones apart.
        public var headers: [Pair]
        /// The query's items, decoded.
        public var queryString: [Pair] = []
        /// The body; `nil` for none.
        public var postData: PostData?
        /// How many bytes the head has; -1 where that isn't known.
        public var headersSize = -1
        /// How many bytes the body has; -1 where that isn't known.
        public var bodySize: Int64 = -1

        /// A request.
        public init(method: String, url: String, headers: [Pair] = [], postData: PostData? = nil) {
            self.method = method
            self.url = url
            self.headers = headers
            self.postData = postData
        }

        /// Reads a request; only `method` and `url` must be there.
        public init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            method = try values.decode(String.self, forKey: .method)
            url = try values.decode(String.self, forKey: .url)
            httpVersion = try values.decodeIfPresent(String.self, forKey: .httpVersion) ?? ""
            cookies = try values.decodeIfPresent([Pair].self, forKey: .cookies) ?? []
            headers = try values.decodeIfPresent([Pair].self, forKey: .headers) ?? []
            queryString = try values.decodeIfPresent([Pair].self, forKey: .queryString) ?? []
            postData = try values.decodeIfPresent(PostData.self, forKey: .postData)
            headersSize = try values.decodeIfPresent(Int.self, forKey: .headersSize) ?? -1
            bodySize = try values.decodeIfPresent(Int64.self, forKey: .bodySize) ?? -1
        }
    }

    /// The body of a request in an archive.
    public struct PostData: Sendable, Hashable, Codable {
        /// What it is.
        public var mimeType: String
        /// The body as text, or in Base64 where ``encoding`` says so.
        public var text: String
        /// The items of a form, where a program shows them in place of the text.
        public var params: [Pair]?
        /// `base64`, or `nil` for text. The format has no word for a request's binary body, and a name of one's own begins with `_`.
        public var encoding: String?
        /// A remark.
        public var comment: String?

        private enum CodingKeys: String, CodingKey {
            case mimeType, text, params, comment
            case encoding = "_encoding"
        }

        /// A body: text where the bytes are UTF-8, else Base64.
        public init(_ data: Data, mimeType: String) {
            self.mimeType = mimeType
            (text, encoding) = HAR.written(data)
        }

        /// Reads a body.
        public init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            mimeType = try values.decodeIfPresent(String.self, forKey: .mimeType) ?? ""
            text = try values.decodeIfPresent(String.self, forKey: .text) ?? ""
            params = try values.decodeIfPresent([Pair].self, forKey: .params)
            encoding = try values.decodeIfPresent(String.self, forKey: .encoding)
            comment = try values.decodeIfPresent(String.self, forKey: .comment)
        }

        /// The bytes; `nil` where the text isn't what it says it is.
        public var data: Data? { HAR.read(text, encoding: encoding) }
    }

    /// An answer in an archive.
    public struct Response: Sendable, Hashable, Codable {
        /// The status; 0 where no answer came.
        public var status: Int
        /// The words behind the status.
        public var statusText = ""
        /// The version of the protocol, such as `HTTP/1.1`.
        public var httpVersion = ""
        /// Cookies, as some programs show them apart. This library leaves them in the fields.
        public var cookies: [Pair] = []
        /// The fields, in order, repeated ones apart.
        public var headers: [Pair]
        /// The body.
        public var content: Content
        /// Where a redirect leads; empty for none.
        public var redirectURL = ""
        /// How many bytes the head has; -1 where that isn't known.
        public var headersSize = -1
        /// How many bytes of body came, before decoding; -1 where that isn't known.
        public var bodySize: Int64 = -1
        /// Why there is no answer, or no whole one. A name of one's own begins with `_`.
        public var error: String?
        /// The fields behind the body; `nil` for none. A name of one's own, since the format has none for them.
        public var trailers: [Pair]?
        /// The answers before the final one (RFC 9110 §15.2); `nil` for none. A name of one's own too.
        public var interim: [Interim]?

        private enum CodingKeys: String, CodingKey {
            case status, statusText, httpVersion, cookies, headers, content, redirectURL, headersSize, bodySize
            case error = "_error"
            case trailers = "_trailers"
            case interim = "_interim"
        }

        /// An answer.
        public init(status: Int, headers: [Pair] = [], content: Content = .init(), error: String? = nil) {
            self.status = status
            self.headers = headers
            self.content = content
            self.error = error
        }

        /// Reads an answer; only `status` must be there, and may be `null` for none.
        public init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            // Some programs write `null` where no answer came.
            status = try values.decodeNil(forKey: .status) ? 0 : values.decode(Int.self, forKey: .status)
            statusText = try values.decodeIfPresent(String.self, forKey: .statusText) ?? ""
            httpVersion = try values.decodeIfPresent(String.self, forKey: .httpVersion) ?? ""
            cookies = try values.decodeIfPresent([Pair].self, forKey: .cookies) ?? []
            headers = try values.decodeIfPresent([Pair].self, forKey: .headers) ?? []
            content = try values.decodeIfPresent(Content.self, forKey: .content) ?? Content()
            redirectURL = try values.decodeIfPresent(String.self, forKey: .redirectURL) ?? ""
            headersSize = try values.decodeIfPresent(Int.self, forKey: .headersSize) ?? -1
            bodySize = try values.decodeIfPresent(Int64.self, forKey: .bodySize) ?? -1
            error = try? values.decodeIfPresent(String.self, forKey: .error)
            trailers = try? values.decodeIfPresent([Pair].self, forKey: .trailers)
            interim = try? values.decodeIfPresent([Interim].self, forKey: .interim)
        }
    }

    /// An answer before the final one: 103 with its links, for instance.
    public struct Interim: Sendable, Hashable, Codable {
        /// The status, 100 to 199.
        public var status: Int
        /// The fields, in order, repeated ones apart.
        public var headers: [Pair]

        /// An answer.
        public init(status: Int, headers: [Pair] = []) {
            self.status = status
            self.headers = headers
        }
    }

    /// The body of an answer in an archive.
    public struct Content: Sendable, Hashable, Codable {
        /// How many bytes it has, decoded.
        public var size: Int64
        /// What it is.
        public var mimeType: String
        /// The body as text, or in Base64 where ``encoding`` says so; `nil` where it wasn't kept.
        public var text: String?
        /// `base64`, or `nil` for text.
        public var encoding: String?
        /// A remark, such as that only a part was kept.
        public var comment: String?
        /// How the body came, piece by piece, where that was kept. A name of one's own begins with `_`.
        public var chunks: [Chunk]?
        /// Whether only the first bytes were kept, or none of those that came; `nil` for no. A name of one's own too: ``size`` alone doesn't
        /// tell, since masking makes a text shorter.
        public var isPartial: Bool?

        private enum CodingKeys: String, CodingKey {
            case size, mimeType, text, encoding, comment
            case chunks = "_chunks"
            case isPartial = "_partial"
        }

        /// A body that wasn't kept.
        public init(size: Int64 = 0, mimeType: String = "") {
            self.size = size
            self.mimeType = mimeType
        }

        /// A body: text where the bytes are UTF-8, else Base64.
        public init(_ data: Data, mimeType: String = "") {
            self.init(size: Int64(data.count), mimeType: mimeType)
            let (text, encoding) = HAR.written(data)
            self.text = text
            self.encoding = encoding
        }

        /// Reads a body.
        public init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            text = try values.decodeIfPresent(String.self, forKey: .text)
            encoding = try values.decodeIfPresent(String.self, forKey: .encoding)
            size = try values.decodeIfPresent(Int64.self, forKey: .size) ?? Int64(text?.utf8.count ?? 0)
            mimeType = try values.decodeIfPresent(String.self, forKey: .mimeType) ?? ""
            comment = try values.decodeIfPresent(String.self, forKey: .comment)
            chunks = try? values.decodeIfPresent([Chunk].self, forKey: .chunks)
            isPartial = try? values.decodeIfPresent(Bool.self, forKey: .isPartial)
        }

        /// The bytes; `nil` where they weren't kept, or the text isn't what it says it is.
        public var data: Data? { text.flatMap { HAR.read($0, encoding: encoding) } }
    }

    /// A piece of a body that came as a stream.
    public struct Chunk: Sendable, Hashable, Codable {
        /// How many bytes it has.
        public var size: Int
        /// When it came, in milliseconds after the answer's head.
        public var time: Double

        /// A piece.
        public init(size: Int, time: Double) {
            self.size = size
            self.time = time
        }
    }

    private static func written(_ data: Data) -> (text: String, encoding: String?) {
        if let text = String(validating: data, as: UTF8.self) { return (text, nil) }
        return (data.base64EncodedString(), "base64")
    }

    /// Base64 may stand in lines, as MIME has it (RFC 2045 §6.8).
    private static func read(_ text: String, encoding: String?) -> Data? {
        guard encoding?.lowercased() == "base64" else { return Data(text.utf8) }
        return Data(base64Encoded: Data(text.utf8.filter { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }))
    }
}

extension HTTPFields {
    /// The fields as an archive has them, in order, each as it is: what must not be seen has to be masked before.
    package var harPairs: [HAR.Pair] { map { HAR.Pair(name: $0.name.rawName, value: $0.value) } }

    /// The fields of an archive.
    package init(_ pairs: [HAR.Pair]) { self.init(pairs.map { HTTPField(name: HTTPField.Name($0.name), value: $0.value) }) }
}
