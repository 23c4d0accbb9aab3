/// Asks somebody else's closure for a token.
final class TokenProvider: Sendable {
    let identity = CallIdentity.madeUp()
    private let token: @Sendable () async throws -> String

    init(_ token: @escaping @Sendable () async throws -> String) { self.token = token }

    /// The field for a call. The closure has a task of its own, since it may not notice that the call is over: it is told by its
    /// cancellation then, and not waited for.
    nonisolated(nonsending) func field(in context: CallContext) async throws(RequestError) -> HTTPField {
        let wait = CallWait<String>()
        let work = Task {
            do {
                _ = wait.give(.success(try await CredentialWork.run(for: self, self.token)))
            } catch {
                _ = wait.give(.failure(.noCredential("the token could not be had", error)))
            }
        }
        defer { work.cancel() }
        let token = try await wait.value(in: context)
        guard !token.isEmpty else { throw .noCredential("token") }
        return HTTPField(name: .authorization, value: "Bearer " + token, isSecret: true)
    }
}

extension RequestError {
    /// Credentials that could not be had, and why. What the underlying error says of itself is quoted only where it is known to
    /// hide its secrets.
    static func noCredential(_ reason: String, _ underlying: any Error) -> RequestError {
        .authentication(.init(reason: "\(reason): \(kind(of: underlying))", underlying: underlying)).retold { story in
            // What a sign-in server says of its refusal is what a caller decides by.
            story.response = (underlying as? RequestError)?.response
            if let inner = (underlying as? RequestError)?.story { story.secrets.formUnion(inner.allSecrets) }
        }
    }
}
