internal import PlatformBase

/// What the real services have been seen to answer: fields and errors, from the shared recordings.
public struct ObservedAnswers: Decodable, Sendable {
    /// An answer that was a success.
    public struct Fields: Decodable, Sendable {
        /// The service: `tmdb`, `darksky`, `pirateweather`.
        public let api: String
        /// Names and values.
        public let headers: [String: String]
    }

    /// An answer that was none.
    public struct Failure: Decodable, Sendable {
        /// The service.
        public let api: String
        /// The status.
        public let status: Int
        /// The body as it was sent.
        public let body: String
        /// Its media type.
        public let contentType: String
        /// The sentence in it that is for people, where there is one.
        public let words: String?

        private enum CodingKeys: String, CodingKey {
            case api, status, body
            case contentType = "content_type"
            case text = "body_text"
        }

        /// Reads an entry.
        public init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            api = try values.decode(String.self, forKey: .api)
            status = try values.decode(Int.self, forKey: .status)
            contentType = try values.decodeIfPresent(String.self, forKey: .contentType) ?? "application/json"
            if let members = try values.decodeIfPresent([String: Value].self, forKey: .body) {
                body = String(decoding: try JSONEncoder().encode(members), as: UTF8.self)
                words = ["status_message", "detail", "error", "message", "errors"].lazy.compactMap { members[$0]?.words }.first
            } else {
                body = "<html><body>\(try values.decode(String.self, forKey: .text))</body></html>"
                words = nil
            }
        }
    }

    /// The successes.
    public let headers: [Fields]
    /// The failures.
    public let errors: [Failure]

    /// The recordings; nothing without them.
    public static let all: ObservedAnswers? = SharedFixtures.data("observed_headers_and_errors.json").flatMap {
        try? JSONDecoder().decode(ObservedAnswers.self, from: $0)
    }

    /// The failures of some services.
    public static func errors(of services: String...) -> [Failure] { all?.errors.filter { services.contains($0.api) } ?? [] }

    /// The successes of some services.
    public static func headers(of services: String...) -> [Fields] { all?.headers.filter { services.contains($0.api) } ?? [] }
}

/// The values that these bodies hold.
private enum Value: Codable, Sendable {
    case flag(Bool)
    case number(Int)
    case text(String)
    case list([String])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let flag = try? container.decode(Bool.self) {
            self = .flag(flag)
        } else if let number = try? container.decode(Int.self) {
            self = .number(number)
        } else if let text = try? container.decode(String.self) {
            self = .text(text)
        } else {
            self = .list(try container.decode([String].self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .flag(let flag): try container.encode(flag)
        case .number(let number): try container.encode(number)
        case .text(let text): try container.encode(text)
        case .list(let list): try container.encode(list)
        }
    }

    var words: String? {
        switch self {
        case .text(let text): text
        case .list(let list): list.first
        case .flag, .number: nil
        }
    }
}
