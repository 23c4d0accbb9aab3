internal import PlatformBase

/// A form as it is sent: bytes that are there, and bodies that are read when their turn comes.
struct MultipartBody {
    enum Segment: Sendable {
        case bytes(Data)
        case body(RequestBody, name: String)
    }

    private(set) var segments: [Segment] = []
    private var pending = Data()
    private let boundary: String
    private let isGiven: Bool

    /// Bytes up to this count are put together with what stands around them; more are left where they are.
    private static let copied = 16 << 10

    /// - Throws: ``RequestError/encode(_:)`` for what can't be put into a form, and what is wrong with a part's body.
    init(_ form: MultipartForm, encoder: any RequestEncoder) throws(RequestError) {
        boundary = form.boundary
        isGiven = form.isGiven
        guard MultipartBoundary.isValid(boundary) else {
            throw Self.fault("\(Token.quoted(boundary)) can't be a boundary (RFC 2046 §5.1.1)")
        }
        for part in form.parts { try add(part, encoder) }
        pending.append(contentsOf: "--\(boundary)--\r\n".utf8)
        flush()
    }

    /// The form as a body.
    var requestBody: RequestBody {
        if segments.count == 1, case .bytes(let data)? = segments.first { return RequestBody(.data(data), contentType: nil) }
        var length: Int64? = 0
        var isReplayable = true
        for segment in segments {
            switch segment {
            case .bytes(let data): length = length.map { $0 + Int64(data.count) }
            case .body(let body, _):
                length = length.flatMap { sum in body.length.map { sum + $0 } }
                isReplayable = isReplayable && body.isReplayable
            }
        }
        let chunks = MultipartChunks(segments: segments)
        var body = RequestBody.stream(chunks, length: length, contentType: nil)
        if isReplayable { body = RequestBody(.chunks(length: length, isReplayable: true, open: { AsyncReader(chunks) }), contentType: nil) }
        for case .body(let part, _) in segments { body.files += part.files }
        return body
    }

    private mutating func add(_ part: MultipartForm.Part, _ encoder: any RequestEncoder) throws(RequestError) {
        let body = try part.body.encoded(by: encoder)
        pending.append(contentsOf: try head(of: part, body).utf8)
        if case .data(let data) = body.content {
            guard !isGiven || data.firstRange(of: Data("--\(boundary)".utf8)) == nil else {
                throw Self.fault("the boundary \(Token.quoted(boundary)) occurs in the part \(Token.quoted(part.name))")
            }
            if data.count <= Self.copied {
                pending.append(data)
            } else {
                flush()
                segments.append(.bytes(data))
            }
        } else {
            flush()
            segments.append(.body(body, name: part.name))
        }
        pending.append(contentsOf: "\r\n".utf8)
    }

    private mutating func flush() {
        if !pending.isEmpty { segments.append(.bytes(pending)) }
        pending = Data()
    }

    /// The boundary, and the fields of a part (RFC 7578 §4.2, §4.4).
    private func head(of part: MultipartForm.Part, _ body: RequestBody) throws(RequestError) -> String {
        var text = "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(MultipartName.escaped(part.name))\""
        if let fileName = part.fileName { text += "; filename=\"\(MultipartName.escaped(fileName: fileName))\"" }
        var headers = part.headers
        if let type = body.contentType, !headers.contains(.contentType) { headers[.contentType] = type }
        headers.removeAll(.contentDisposition)
        for field in headers {
            guard Token.isValid(field.name.rawName), !field.isFaulty, Token.firstForbiddenInFieldValue(field.value) == nil else {
                throw Self.fault("the field \(Token.quoted(field.name.rawName)) of the part \(Token.quoted(part.name)) can't be sent")
            }
            text += "\r\n\(field.name): \(field.value)"
        }
        return text + "\r\n\r\n"
    }

    private static func fault(_ reason: String) -> RequestError { .encode(.init(.init(part: .body), reason: reason)) }
}

/// Texts in a form, as browsers write them (WHATWG HTML §4.10.22.8).
enum MultipartText {
    /// The text's bytes, with a CR or LF that stands alone made a CRLF.
    static func encoded(_ text: String) -> Data {
        var result = Data(capacity: text.utf8.count)
        var isBehindCR = false
        for byte in text.utf8 {
            // Each line end is written at its first byte; the LF of a CRLF is its second.
            switch byte {
            case 0x0D: result.append(contentsOf: [0x0D, 0x0A])
            case 0x0A where isBehindCR: break
            case 0x0A: result.append(contentsOf: [0x0D, 0x0A])
            default: result.append(byte)
            }
            isBehindCR = byte == 0x0D
        }
        return result
    }
}

/// Names in a form, escaped as browsers do (WHATWG HTML §4.10.22.8): what would end the quotes or the line is percent-encoded, and
/// nothing else, the percent sign itself included.
enum MultipartName {
    /// A field's name. Every kind of line end in it becomes CRLF.
    static func escaped(_ name: String) -> String {
        var result: [UInt8] = []
        var isBehindCR = false
        for byte in name.utf8 {
            if byte == 0x0D || (byte == 0x0A && !isBehindCR) {
                result += Array("%0D%0A".utf8)
            } else if byte != 0x0A {
                append(byte, to: &result)
            }
            isBehindCR = byte == 0x0D
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// A file's name, whose line ends are part of it.
    static func escaped(fileName: String) -> String {
        var result: [UInt8] = []
        for byte in fileName.utf8 { append(byte, to: &result) }
        return String(decoding: result, as: UTF8.self)
    }

    private static func append(_ byte: UInt8, to result: inout [UInt8]) {
        switch byte {
        case 0x0A: result += Array("%0A".utf8)
        case 0x0D: result += Array("%0D".utf8)
        case 0x22: result += Array("%22".utf8)
        default: result.append(byte)
        }
    }
}
