internal import PlatformBase

/// What a server says of a problem in the standard form (RFC 9457): a body of type `application/problem+json`.
public struct Problem: Sendable, Hashable {
    /// A URI that names the kind of problem; `about:blank` when the server names none.
    public var type: String
    /// A short sentence about the kind.
    public var title: String?
    /// The status, as the body repeats it.
    public var status: Int?
    /// A sentence about this occurrence.
    public var detail: String?
    /// A URI that names this occurrence.
    public var instance: String?

    /// The problem in a response, or `nil` when its body is of another type or can't be read. A member of the wrong type is
    /// passed over, as RFC 9457 §3.1 asks.
    public init?(_ response: FailedResponse) {
        guard MediaType(response.head.headers[.contentType] ?? "")?.essence == "application/problem+json",
            let members = try? JSONDecoder().decode(Members.self, from: response.body)
        else { return nil }
        type = members.type ?? "about:blank"
        title = members.title
        status = members.status
        detail = members.detail
        instance = members.instance
    }

    private struct Members: Decodable {
        var type, title, detail, instance: String?
        var status: Int?

        enum CodingKeys: CodingKey { case type, title, status, detail, instance }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            type = try? container.decode(String.self, forKey: .type)
            title = try? container.decode(String.self, forKey: .title)
            status = try? container.decode(Int.self, forKey: .status)
            detail = try? container.decode(String.self, forKey: .detail)
            instance = try? container.decode(String.self, forKey: .instance)
        }
    }
}
