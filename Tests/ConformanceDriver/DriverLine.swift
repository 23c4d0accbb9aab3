import NetworkKit
import PlatformBase

/// One line of standard input.
struct DriverLine: Decodable, Sendable {
    var id: Int
    var cancel: Int?
    var url: String?
    var method: String?
    var headers: [[String]]?
    var body: String?
    var body_b64: String?
    var cache: String?
    var redirect: String?
    var session: String?
    var timeout: Double?
    var deadline: Double?
    var max_body: Int?
    var cookies: Bool?
    var proxy: String?
    var ca: String?
    var wait: Bool?

    /// The id alone, of a line that is otherwise wrong.
    struct ID: Decodable {
        var id: Int
    }
}

/// What is wrong with a line.
struct DriverFault: Error {
    let message: String
    init(_ message: String) { self.message = message }
}

/// A line as a call.
struct DriverCall: Endpoint {
    let baseURL: URL
    let path: Path = ""
    let method: any RequestMethod
    let headers: HTTPFields
    let body: RequestBody?
    let options: RequestOptions

    init(_ line: DriverLine) throws {
        guard let text = line.url else { throw DriverFault("there is no url") }
        guard let url = URL(string: text) else { throw RequestError.invalidURL(.init(reason: "\(text) is no URL")) }
        baseURL = url
        method = try HTTPMethod(name: line.method ?? "GET")
        headers = try HTTPFields(
            (line.headers ?? []).map { pair in
                guard pair.count == 2 else { throw DriverFault("a header is a pair of name and value") }
                return HTTPField(name: HTTPField.Name(pair[0]), value: pair[1])
            })
        if let base64 = line.body_b64 {
            guard let data = Data(base64Encoded: base64) else { throw DriverFault("body_b64 is no Base64") }
            body = .data(data, contentType: nil)
        } else {
            body = line.body.map { .data(Data($0.utf8), contentType: nil) }
        }
        options = RequestOptions(
            timeout: try Self.duration(line.timeout), deadline: try Self.duration(line.deadline), cachePolicy: try Self.policy(line.cache),
            maximumBodySize: line.max_body, redirectPolicy: try Self.redirects(line.redirect))
    }

    private static func duration(_ seconds: Double?) throws -> Duration? {
        guard let seconds else { return nil }
        guard seconds >= 0, seconds <= 1e9 else { throw DriverFault("\(seconds) is no time to wait") }
        return .seconds(seconds)
    }

    /// The names are those of Fetch.
    private static func policy(_ name: String?) throws -> CachePolicy? {
        switch name {
        case nil, "default": nil
        case "no-store": .noStore
        case "reload": .reload
        case "no-cache": .revalidate
        case "force-cache": .preferCache
        case "only-if-cached": .cacheOnly
        case let name?: throw DriverFault("there is no cache mode \(name)")
        }
    }

    private static func redirects(_ name: String?) throws -> RedirectPolicy? {
        switch name {
        case nil, "follow": nil
        case "manual": .manual
        case let name?: throw DriverFault("there is no redirect mode \(name)")
        }
    }
}
