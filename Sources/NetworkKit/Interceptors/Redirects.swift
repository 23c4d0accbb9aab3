internal import PlatformBase

extension Interceptor where Self == RedirectInterceptor {
    /// Follows redirects (RFC 9110 §15.4): 301, 302, 303, 307 and 308 with a `Location`.
    ///
    /// A session without it gets it with its defaults. Secrets stay with the call's origin; a request whose body can't be sent again
    /// ends with ``RequestError/notReplayable(_:)``; a redirect that isn't followed, with ``RequestError/redirect(_:)``, and so does one to
    /// another origin that would take along a body with a secret.
    ///
    /// - Parameter policy: which are followed, where the request's own options don't say. ``RedirectPolicy/manual`` gives the redirect
    ///   itself as the answer.
    public static func redirects(_ policy: RedirectPolicy = .standard) -> RedirectInterceptor { RedirectInterceptor(policy: policy) }
}

/// Follows redirects: see ``Interceptor/redirects(_:)``.
public struct RedirectInterceptor: StockInterceptor {
    let policy: RedirectPolicy

    /// Sends the request, and those that its answers lead to.
    public func intercept(_ request: HTTPRequest, next: Next) async throws(RequestError) -> HTTPResponse {
        let policy = request.options.redirectPolicy ?? policy
        var request = request
        var followed = 0
        while true {
            let response = try await next(request)
            do {
                guard var target = try RedirectDecision.target(of: response.head, for: request, policy: policy, followed: followed) else {
                    return response
                }
                response.body.discard()
                // What an interceptor further in added may be in the location as well.
                if let sent = response.request { target.context.secrets.formUnion(sent.allSecrets) }
                request = target
                followed += 1
            } catch {
                response.body.discard()
                throw error.retold {
                    $0.add(request)
                    $0.response = FailedResponse(head: response.head)
                }
            }
        }
    }
}

extension RedirectInterceptor {
    /// How many it follows.
    public func describe(_ request: HTTPRequest) -> String? {
        let policy = request.options.redirectPolicy ?? policy
        guard policy.limit > 0 else { return "follows none" }
        return "follows up to \(policy.limit)" + (policy.allowsInsecure ? ", also from https to http" : ", none from https to http")
    }
}

/// What a redirect leads to: a function of the answer, the request and the policy.
enum RedirectDecision {
    /// The request to send next, or `nil` when the answer is the call's.
    static func target(
        of head: ResponseHead, for request: HTTPRequest, policy: RedirectPolicy, followed: Int
    ) throws(RequestError) -> HTTPRequest? {
        guard [301, 302, 303, 307, 308].contains(head.status.code), policy.limit > 0 else { return nil }
        let locations = Set(head.headers[values: .location])
        guard let location = locations.first else { return nil }
        guard locations.count == 1 else {
            throw fault(.location, locations.sorted().joined(separator: ", "), "the answer names more than one Location")
        }
        guard followed < policy.limit else {
            throw fault(.tooMany, location, "stopped after \(followed) redirects; is it a loop? RedirectPolicy.limit bounds them")
        }
        var target = request
        let (url, credentials) = try destination(location, from: request.url, policy: policy)
        target.url = url
        target.context.redirects += 1
        // A field that isn't sent on may still be quoted by who was asked first.
        let secrets = request.allSecrets
        if !secrets.isEmpty { target.context.secrets.formUnion(secrets) }
        if let credentials { target.context.secrets.insert(field: credentials) }
        try changeMethod(of: &target, for: head.status)
        try keepSecretsHome(&target, comingFrom: request, by: location)
        return target
    }

    /// The URL that `Location` means (RFC 9110 §10.2.2): relative to the request's, its fragment handed down.
    /// User information in it is good for that hop alone: it stays in the URL, where the last check finds it.
    private static func destination(
        _ location: String, from base: URL, policy: RedirectPolicy
    ) throws(RequestError) -> (URL, credentials: HTTPField?) {
        let origin = URIReference(base.absoluteString)
        // Servers send spaces and UTF-8 there, and browsers encode them.
        var target = URIReference(location.trimmingSpaces()).encoded.resolved(against: origin)
        let scheme = target.scheme?.lowercased()
        guard scheme == "http" || scheme == "https" else {
            throw fault(.scheme, location, "the scheme \(Token.quoted(scheme ?? "")) isn't followed; only http and https are")
        }
        if origin.scheme?.lowercased() == "https" && scheme == "http" && !policy.allowsInsecure {
            throw fault(.insecure, location, "https doesn't lead to http unless RedirectPolicy.allowsInsecure says so")
        }
        if !target.path.hasPrefix("/") { target.path = "/" + target.path }
        do throws(RequestError) {
            let credentials = try RequestURL(target.text).credentials
            guard let url = target.url else { throw RequestError.invalidURL(.whole, "it is no URL") }
            return (url, credentials)
        } catch {
            throw fault(.location, location, error.story?.reason ?? "it is no URL")
        }
    }

    /// RFC 9110 §15.4 as Fetch settles it: 303 reads with GET, and so do 301 and 302 after a POST; HEAD stays HEAD. A body that
    /// goes takes the fields that describe it along.
    private static func changeMethod(of request: inout HTTPRequest, for status: HTTPStatus) throws(RequestError) {
        let method = request.method.name
        let becomesGet =
            switch status.code {
            case 303: method != "GET" && method != "HEAD"
            case 301, 302: method == "POST"
            default: false
            }
        if becomesGet {
            request.method = .get
            request.body = nil
            request.headers.removeAll { bodyFields.contains($0.name) }
            // The key named what the body asked for.
            request.headers.removeAll(.idempotencyKey)
            request.options.idempotencyKey = nil
        } else if let body = request.body, !body.isLeft {
            throw .notReplayable(
                .init(reason: "a \(status) asks for the body again, and a stream can be read once; use RequestBody.stream(open:)"))
        }
    }

    private static let bodyFields: Set<HTTPField.Name> = [
        .contentType, .contentLength, .contentEncoding, .contentLanguage, .contentLocation, .contentRange, .transferEncoding, .expect,
        "Trailer", "Digest", "Content-Digest", "Repr-Digest", "Content-MD5",
    ]

    /// Takes away what isn't meant for where the request now goes: secrets outside of the call's home origin, and a `Host` that
    /// names another host. What is gone stays gone, also when a later hop leads home: the way there was chosen by others. From a body
    /// nothing can be taken.
    private static func keepSecretsHome(
        _ request: inout HTTPRequest, comingFrom source: HTTPRequest, by location: String
    ) throws(RequestError) {
        guard let target = Origin(request.url), let previous = Origin(source.url) else { return }
        if target != previous { request.headers.removeAll(.host) }
        let home = request.context.homeOrigin ?? previous
        guard !home.includes(target) else { return }
        guard request.body?.secrets.isEmpty ?? true else {
            throw fault(
                .secret, location, "\(target) isn't \(home), where the call's secrets belong, and the body that goes along holds one")
        }
        request.headers.removeAll(where: \.isSecret)
    }

    private static func fault(_ fault: RequestError.Redirect.Fault, _ location: String, _ reason: String) -> RequestError {
        .redirect(.init(.init(fault: fault, location: location), reason: "redirect to \(Token.quoted(location, limit: 200)): \(reason)"))
            .retold { story in
                if let credentials = RequestURL.credentials(in: location) { story.secrets.insert(field: credentials) }
            }
    }
}
