import NetworkKit
import PlatformBase

/// One line of standard output.
struct DriverAnswer: Encodable, Sendable {
    var id: Int?
    var status: Int?
    var headers: [[String]]?
    var body_b64: String?
    var url: String?
    var interim: [Interim]?
    var from: String?
    var error: String?
    var message: String?
    var cancelled: Bool?

    /// An answer before the final one: a status and its fields, as an array.
    struct Interim: Encodable, Sendable {
        let status: Int
        let headers: [[String]]

        func encode(to encoder: any Encoder) throws {
            var array = encoder.unkeyedContainer()
            try array.encode(status)
            try array.encode(headers)
        }
    }

    init(id: Int?, cancelled: Bool) {
        self.id = id
        self.cancelled = cancelled
    }

    init(id: Int?, error: String, message: String) {
        self.id = id
        self.error = error
        self.message = message
    }

    init(id: Int, _ error: any Error) {
        switch error {
        case let error as RequestError: self.init(id: id, error: error.caseName, message: error.description)
        case let fault as DriverFault: self.init(id: id, error: "line", message: fault.message)
        default: self.init(id: id, error: "line", message: "\(error)")
        }
    }

    init(id: Int, _ response: HTTPResponse, body: Data) {
        self.id = id
        status = response.status.code
        headers = Self.pairs(response.headers)
        body_b64 = body.base64EncodedString()
        url = response.url.absoluteString
        interim = response.interim.map { Interim(status: $0.status.code, headers: Self.pairs($0.headers)) }
        from =
            switch response.metrics.cache {
            case .hit: "cache"
            case .revalidated: "revalidated"
            case .stale: "stale"
            case .miss, nil: "network"
            }
    }

    private static func pairs(_ fields: HTTPFields) -> [[String]] { fields.map { [$0.name.rawName, $0.value] } }

    func write() {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        guard let line = try? encoder.encode(self) else { return }
        StandardOutput.write(line: line)
    }
}
