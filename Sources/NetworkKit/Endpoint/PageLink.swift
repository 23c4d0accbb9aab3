internal import PlatformBase

/// The whole URL that an endpoint may ask for, in the place of base, path and query: ``LinkedPageEndpoint/pageURL``.
enum PageLink {
    static func url<E: Endpoint>(of endpoint: E) -> URL? {
        // The type is asked first, which is quicker by far, and nearly always the end of it.
        E.self is any LinkedPageEndpoint.Type ? (endpoint as? any LinkedPageEndpoint)?.pageURL : nil
    }

    /// What stands for a link that is no URL: one that can't be asked, so that asking for it says why, and pages don't end as if the
    /// last had come.
    static func unreadable(_ target: URIReference) -> URL? {
        URL(string: PercentEncoding.encodeValue(RequestURL.withoutCredentials(target.text)), encodingInvalidCharacters: false)
    }
}

extension HTTPRequest {
    /// Leads the request of an endpoint to the page that it names. The origin of the base URL stays the home of its secrets: who wrote
    /// the link may be anybody.
    ///
    /// - Throws: ``RequestError/invalidURL(_:)`` for what can't be asked, and for another origin with a secret in the URL or the body.
    mutating func lead(to page: URL) throws(RequestError) {
        guard let home = origin else { return }
        url = page
        do throws(RequestError) {
            let text = page.absoluteString
            guard URIReference(text).scheme != nil else {
                throw .invalidURL(.whole, "the page \(Token.quoted(PercentEncoding.decode(text))) is not an absolute URL")
            }
            try checkURL()
        } catch {
            throw error.retold { $0.add(self) }
        }
        try keepSecrets(at: home)
    }
}
