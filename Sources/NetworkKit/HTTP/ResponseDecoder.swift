public import PlatformBase

/// What makes a model from a body: `JSONDecoder`, or a decoder of one's own.
public protocol ResponseDecoder: Sendable {
    /// The model that the bytes describe.
    func decode<Model: Decodable>(_ type: Model.Type, from data: Data) throws -> Model
}

extension JSONDecoder: ResponseDecoder {}

extension ResponseDecoder where Self == JSONDecoder {
    /// The stock decoder: JSON with dates in RFC 3339, with and without fractions of a second.
    public static var json: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom { decoder in
            let container = try decoder.singleValueContainer()
            let text = try container.decode(String.self)
            guard let date = RFC3339.date(text) else {
                throw DecodingError.dataCorruptedError(
                    in: container, debugDescription: "\(Token.quoted(text)) is not a date of RFC 3339 such as 2026-02-28T12:00:00Z")
            }
            return date
        }
        return decoder
    }
}

extension RequestEncoder where Self == JSONEncoder {
    /// The stock encoder: JSON with dates in RFC 3339, in UTC, without escaped slashes.
    public static var json: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = .withoutEscapingSlashes
        return encoder
    }
}
