internal import PlatformBase

/// What makes two requests one: they ask the same of the same server, for the same account, and treat its answer alike.
///
/// - Method and URL.
/// - All fields but those that are known not to matter, in their order. So `Range`, conditions, `Accept`, and an `Authorization` or
///   `Cookie` of the endpoint's own count.
/// - The identity of the credentials, and the origin that secrets are kept to, since by these an interceptor further in adds more.
/// - The options that change what is sent or how patiently; not the deadline, the largest body and the name, which each caller keeps
///   for itself.
struct CoalescingKey: Sendable {
    /// The request that it was made of.
    let request: HTTPRequest
    private let ignoring: [HTTPField.Name]

    /// The key of a request, or `nil` for one that must have its own exchange: it isn't safe (RFC 9110 §9.2.1), it has a body, its caller
    /// reads a stream, or others may wait for a credential that it is sent for.
    init?(_ request: HTTPRequest, ignoring: [HTTPField.Name]) {
        guard request.context.delivery == .value, request.body == nil, request.method.isSafe, !request.isCredentialWork else { return nil }
        self.request = request
        self.ignoring = ignoring
    }
}

extension CoalescingKey: Hashable {
    /// Hashes what tells most requests apart. It is done for every request, so not all is hashed that is compared.
    func hash(into hasher: inout Hasher) {
        hasher.combine(request.url)
        hasher.combine(request.context.identity)
    }

    static func == (left: Self, right: Self) -> Bool {
        let (one, other) = (left.request, right.request)
        return one.isSame(as: other)
            || one.method == other.method && one.url == other.url && one.context.identity == other.context.identity
                && (one.context.identity ?? "").utf8.elementsEqual((other.context.identity ?? "").utf8)
                && one.context.homeOrigin == other.context.homeOrigin && left.hasSameOptions(as: right) && left.hasSameFields(as: right)
    }

    private func hasSameOptions(as other: Self) -> Bool {
        let (left, right) = (request.options, other.request.options)
        return left.timeout == right.timeout && left.cachePolicy == right.cachePolicy && left.redirectPolicy == right.redirectPolicy
            && left.idempotencyKey == right.idempotencyKey
    }

    private func hasSameFields(as other: Self) -> Bool {
        request.headers.lazy.filter { !ignoring.contains($0.name) }
            .elementsEqual(other.request.headers.lazy.filter { !ignoring.contains($0.name) }) {
                // By bytes: to a server, two ways to write one letter are two values.
                $0.name == $1.name && $0.isSecret == $1.isSecret && $0.value.utf8.elementsEqual($1.value.utf8)
            }
    }
}
