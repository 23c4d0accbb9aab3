internal import PlatformBase

/// What must not be seen of a request that was sent, for whoever remembers requests. He must not keep the request itself: it holds
/// those that listen to it, and so would hold him.
struct SentSecrets: Sendable {
    private let url: URL
    private let headers: HTTPFields
    private let known: SecretValues
    private let body: SecretValues?

    init(_ request: HTTPRequest) {
        url = request.url
        headers = request.headers
        known = request.context.secrets
        body = request.body?.secrets
    }

    /// The call's secrets, those of its body, those among the request's own fields, and the user information of its URL: looked for when they are needed.
    var values: SecretValues {
        var secrets = known
        if let body { secrets.formUnion(body) }
        if let credentials = RequestURL.credentials(in: url.absoluteString) { secrets.insert(field: credentials) }
        for field in headers where field.isSecret { secrets.insert(field: field) }
        return secrets
    }
}
