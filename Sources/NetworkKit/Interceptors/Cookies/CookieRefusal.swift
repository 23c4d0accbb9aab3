extension Cookie {
    /// Why a cookie wasn't stored. None of the descriptions shows a value.
    #if hasAttribute(nonexhaustive)
    @nonexhaustive
    #endif
    public enum Refusal: Error, Sendable, Hashable {
        /// It has a control character; one made by hand, also a `;`, or an `=` in its name.
        case character
        /// It has neither name nor value.
        case empty
        /// Name and value have more than 4096 bytes together; this many.
        case tooLarge(Int)
        /// Its path doesn't begin with a slash.
        case path
        /// Its domain isn't the host that sent it, nor above it.
        case foreignDomain(String)
        /// Its domain belongs to everybody: it has one label, such as `com`, or is a public suffix.
        case publicSuffix(String)
        /// Its domain is an IP address that isn't the host that sent it.
        case addressDomain(String)
        /// Its domain has characters outside ASCII.
        case domainOutsideASCII
        /// It is `Secure` and didn't come over https.
        case insecureSource
        /// It isn't `Secure`, didn't come over https, and would hide one that is `Secure`.
        case hidesSecure
        /// Its name begins with `__Secure-` or `__Host-` and it isn't what that promises.
        case prefix(String)
        /// The answer has 500 others in front of it.
        case tooMany
    }
}

extension Cookie.Refusal: CustomStringConvertible {
    /// The reason in words.
    public var description: String {
        switch self {
        case .character: "the cookie has a character that no cookie has"
        case .empty: "the cookie has neither name nor value"
        case .tooLarge(let size): "name and value of the cookie have \(size) bytes, and \(CookieRules.sizeLimit) are the most"
        case .path: "the cookie's path doesn't begin with a slash"
        case .foreignDomain(let domain): "the cookie is for \(Token.quoted(domain)), which the host that sent it doesn't belong to"
        case .publicSuffix(let domain): "the cookie is for \(Token.quoted(domain)), which belongs to everybody"
        case .addressDomain(let domain): "the cookie is for the address \(Token.quoted(domain)), which isn't the host that sent it"
        case .domainOutsideASCII: "the cookie's domain has characters outside ASCII"
        case .insecureSource: "the cookie is Secure and didn't come over https"
        case .hidesSecure: "the cookie would hide one that is Secure, and didn't come over https"
        case .prefix(let prefix): "the cookie's name begins with \(prefix), and it isn't what that promises"
        case .tooMany: "the answer sets more than \(CookieRules.answerLimit) cookies"
        }
    }
}
