public import PlatformBase

/// A form of parts, as `multipart/form-data` sends it (RFC 7578): fields, and files that are read while they are sent.
///
/// ```swift
/// var body: RequestBody? {
///     .multipart([
///         .text("title", "Holiday"),
///         .json("place", place),
///         .file("photo", photo, contentType: "image/jpeg"),
///     ])
/// }
/// ```
public struct MultipartForm: Sendable {
    /// The parts, in the order in which they are sent.
    public var parts: [Part]
    /// What stands between the parts, without the dashes in front. It must not occur in one, and so is made of 128 random bits.
    public let boundary: String
    /// Whether the boundary was given, and so may occur in a part.
    let isGiven: Bool

    /// A form.
    ///
    /// - Parameter boundary: what stands between the parts (RFC 2046 §5.1.1), for a body that is to be the same each time. One that is
    ///   malformed, or occurs in a part that is in memory, ends the call with ``RequestError/encode(_:)``.
    public init(_ parts: [Part], boundary: String? = nil) {
        self.parts = parts
        isGiven = boundary != nil
        self.boundary = boundary ?? MultipartBoundary.random()
    }

    /// Adds a part.
    public mutating func append(_ part: Part) { parts.append(part) }
}

extension MultipartForm: ExpressibleByArrayLiteral {
    /// A form as a literal.
    public init(arrayLiteral elements: Part...) { self.init(elements) }
}

extension MultipartForm {
    /// A field of a form: a name and a body.
    public struct Part: Sendable {
        /// The field's name. Quotes and line ends in it are escaped as browsers do; other text goes out as UTF-8.
        public var name: String
        /// The name of the file that the body is; `nil` for a field that is no file. Escaped like the name.
        public var fileName: String?
        /// The body. Its content type becomes the part's.
        public var body: RequestBody
        /// Further fields of the part. Receivers pass over nearly all (RFC 7578 §4.8). A `Content-Type` wins over the body's.
        public var headers: HTTPFields

        /// A part with any body.
        public init(_ name: String, _ body: RequestBody, fileName: String? = nil, headers: HTTPFields = [:]) {
            self.name = name
            self.fileName = fileName
            self.body = body
            self.headers = headers
        }

        /// A text, as a browser sends a field: in UTF-8, without a type, and every kind of line end in it as CRLF (WHATWG HTML
        /// §4.10.22.8). What is to go out byte for byte is ``data(_:_:fileName:contentType:)``.
        public static func text(_ name: String, _ value: String) -> Part {
            Part(name, .data(MultipartText.encoded(value), contentType: nil))
        }

        /// A value as JSON, by this encoder, else by the session's.
        public static func json(_ name: String, _ value: some Encodable & Sendable, encoder: (any RequestEncoder)? = nil) -> Part {
            Part(name, .json(value, encoder: encoder))
        }

        /// Bytes; a file, when they have a file's name.
        public static func data(
            _ name: String, _ data: Data, fileName: String? = nil, contentType: String? = "application/octet-stream"
        ) -> Part {
            Part(name, .data(data, contentType: contentType), fileName: fileName)
        }

        /// A file, read while it is sent and never held as a whole.
        ///
        /// - Parameter fileName: what it is called in the form. Default: its own name, without its folders.
        public static func file(
            _ name: String, _ url: URL, fileName: String? = nil, contentType: String? = "application/octet-stream"
        ) -> Part {
            Part(name, .file(url, contentType: contentType), fileName: fileName ?? url.lastPathComponent)
        }

        /// Chunks that are sent as they are made. The form can then be sent once; see ``RequestBody/stream(_:length:contentType:)``.
        ///
        /// - Parameter length: how many bytes there will be, when that is known. A stream that has more or fewer ends the call with
        ///   ``RequestError/encode(_:)``.
        public static func stream<Chunks: AsyncSequence & Sendable>(
            _ name: String, _ chunks: Chunks, length: Int64? = nil, fileName: String? = nil,
            contentType: String? = "application/octet-stream"
        ) -> Part where Chunks.Element == Data {
            Part(name, .stream(chunks, length: length, contentType: contentType), fileName: fileName)
        }
    }
}

extension RequestBody {
    /// A form of parts, as `multipart/form-data` (RFC 7578): see ``MultipartForm``.
    ///
    /// Its length is known when that of every part is, and goes out as `Content-Length`; else the body is sent chunked. It can be sent
    /// again when every part can. Nothing of a file or stream is held but the piece that is being sent.
    public static func multipart(_ form: MultipartForm) -> RequestBody {
        let type = "multipart/form-data; boundary=\(MultipartBoundary.parameter(form.boundary))"
        var body: RequestBody
        if form.parts.contains(where: \.body.isUnfinished) {
            let isReplayable = form.parts.allSatisfy(\.body.isReplayable)
            body = RequestBody(
                .deferred(isReplayable: isReplayable) { encoder throws(RequestError) in
                    try MultipartBody(form, encoder: encoder).requestBody
                }, contentType: type)
        } else {
            do throws(RequestError) {
                body = try MultipartBody(form, encoder: .json).requestBody
                body.contentType = type
            } catch {
                body = RequestBody(.invalid(error), contentType: type)
            }
        }
        for part in form.parts { body.secrets.formUnion(part.body.secrets) }
        return body
    }
}
