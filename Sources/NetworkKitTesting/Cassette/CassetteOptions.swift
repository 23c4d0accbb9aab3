public import NetworkKit
internal import PlatformBase

extension Cassette {
    /// When a cassette plays and when it records.
    public enum Mode: String, Sendable, CaseIterable {
        /// Plays, and never records: a request without a recording fails. For tests that must not touch a network.
        case none
        /// Records everything where there is no file yet; plays, as ``none`` does, where there is one.
        case once
        /// Records everything, and replaces the file.
        case all
        /// Plays what is recorded, and records the rest behind it.
        case new
    }

    /// How a cassette finds recordings, what it masks, and how it plays.
    public struct Options: Sendable {
        /// What makes two requests the same.
        public var matching: CassetteMatching
        /// What is masked besides the secrets that the call knows of.
        public var masking: CassetteMasking
        /// Whether an answer takes its time as when it was recorded, by the session's clock. Off: it comes at once, in the same pieces.
        public var isPaced: Bool
        /// Whether the last recording of a request is played again when all have been. Off: the request fails.
        public var repeats: Bool

        /// Options.
        public init(
            matching: CassetteMatching = .init(), masking: CassetteMasking = .init(), isPaced: Bool = false, repeats: Bool = false
        ) {
            self.matching = matching
            self.masking = masking
            self.isPaced = isPaced
            self.repeats = repeats
        }
    }
}

extension Cassette.Mode {
    /// The variable of the environment that stands over the modes of all cassettes, so that all can be recorded anew, or a build machine
    /// be kept from recording, without a change of code. A value that is no mode is an error of each cassette that is made.
    public static let variable = "NETWORKKIT_CASSETTES"

    /// The mode that the environment asks for.
    static var ofEnvironment: Cassette.Mode? {
        get throws(RequestError) { try named(getenv(variable).map { String(cString: $0) }) }
    }

    /// The mode by its name in the environment; `nil` for none.
    static func named(_ name: String?) throws(RequestError) -> Cassette.Mode? {
        guard let name, !name.isEmpty else { return nil }
        if let mode = Cassette.Mode(rawValue: name) { return mode }
        let names = allCases.map(\.rawValue).joined(separator: ", ")
        throw .unknown(.init(reason: "\(variable) in the environment is \"\(name)\", and can be \(names); or unset it"))
    }
}

/// What makes a request the same as a recorded one. Method, URL and body are compared; the order of a query's and a form's items, and
/// that of a JSON object's keys, doesn't count, nor does a multipart body's boundary. A masked value is like any other in its place.
public struct CassetteMatching: Sendable {
    /// Query items that aren't compared, such as a time stamp.
    public var ignoredQueryItems: Set<String>
    /// Members of JSON and form bodies that aren't compared, wherever they stand, such as a nonce.
    public var ignoredBodyKeys: Set<String>
    /// Whether bodies are compared.
    public var comparesBody: Bool
    /// Fields that are compared too; none unless named.
    public var fields: Set<HTTPField.Name>

    /// What is compared.
    public init(
        ignoredQueryItems: Set<String> = [], ignoredBodyKeys: Set<String> = [], comparesBody: Bool = true,
        fields: Set<HTTPField.Name> = []
    ) {
        self.ignoredQueryItems = ignoredQueryItems
        self.ignoredBodyKeys = ignoredBodyKeys
        self.comparesBody = comparesBody
        self.fields = fields
    }
}

/// What a cassette masks besides the call's own secrets: what is marked `.secret`, `Authorization`, `Cookie` and their like, and the
/// user information of URLs, which are masked always.
///
/// In the names of query items and members neither case nor underscores and hyphens count: `access_token` is `accessToken` too.
public struct CassetteMasking: Sendable {
    /// Fields, of requests and answers.
    public var fields: Set<HTTPField.Name>
    /// Query items, of requests and of the URLs in fields.
    public var queryItems: Set<String>
    /// Members of JSON, in whatever body that stands, items of forms and parts of multipart bodies, of requests and answers.
    public var bodyKeys: Set<String>

    /// The fields that are masked whatever else is.
    public static let standardFields: Set<HTTPField.Name> = ["X-Api-Key", "X-Auth-Token", "X-CSRF-Token"]
    /// The query items that are masked whatever else is.
    public static let standardQueryItems: Set<String> = ["api_key", "apikey", "access_token", "client_secret", "password"]
    /// The members of bodies that are masked whatever else is.
    public static let standardBodyKeys: Set<String> = [
        "api_key", "apikey", "access_token", "refresh_token", "id_token", "client_secret", "password",
    ]

    /// What is masked besides the standard names.
    public init(fields: Set<HTTPField.Name> = [], queryItems: Set<String> = [], bodyKeys: Set<String> = []) {
        self = .only(
            fields: Self.standardFields.union(fields), queryItems: Self.standardQueryItems.union(queryItems),
            bodyKeys: Self.standardBodyKeys.union(bodyKeys))
    }

    private init(only fields: Set<HTTPField.Name>, _ queryItems: Set<String>, _ bodyKeys: Set<String>) {
        self.fields = fields
        self.queryItems = queryItems
        self.bodyKeys = bodyKeys
    }

    /// These names and not the standard ones, for an API that means something else by them.
    public static func only(
        fields: Set<HTTPField.Name> = [], queryItems: Set<String> = [], bodyKeys: Set<String> = []
    ) -> CassetteMasking {
        CassetteMasking(only: fields, queryItems, bodyKeys)
    }

    /// Adds what others mask.
    mutating func formUnion(_ other: CassetteMasking) {
        fields.formUnion(other.fields)
        queryItems.formUnion(other.queryItems)
        bodyKeys.formUnion(other.bodyKeys)
    }
}
