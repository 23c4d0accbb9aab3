internal import NetworkKit
internal import PlatformBase

/// The head of an answer as bytes (RFC 9112 §4).
enum HeadText {
    static func bytes(_ status: HTTPStatus, _ fields: HTTPFields) -> Data {
        var text = "HTTP/1.1 \(status.code) \(status.reasonPhrase ?? "")\r\n"
        append(fields, to: &text)
        text += "\r\n"
        return Data(text.utf8)
    }

    /// What ends a chunked body: the last chunk and the trailers (RFC 9112 §7.1.2).
    static func lastChunk(trailers: HTTPFields) -> Data {
        var text = "0\r\n"
        append(trailers, to: &text)
        text += "\r\n"
        return Data(text.utf8)
    }

    private static func append(_ fields: HTTPFields, to text: inout String) {
        for field in fields {
            text += field.name.rawName
            text += ": "
            text += field.value
            text += "\r\n"
        }
    }
}
