import Foundation

@testable import NetworkKit

extension Date {
    /// The date at which a test clock begins: 2026-01-01.
    static let start = Date(timeIntervalSince1970: 1_767_225_600)
}

extension CookiePlace {
    /// A place that a test is sure of.
    init(sure text: String) {
        guard let place = CookiePlace(url(text)) else { preconditionFailure("\(text) is no place") }
        self = place
    }
}

/// The cookie that a field is, or why it is none.
func parsed(
    _ text: String, from source: String = "https://www.example.com/a/b", isPublicSuffix: (@Sendable (String) -> Bool)? = nil
) -> Result<Cookie, Cookie.Refusal> {
    SetCookieParser(rules: CookieRules(isPublicSuffix: isPublicSuffix)).cookie(text, from: CookiePlace(sure: source), now: .start)
}

extension CookieJar {
    /// What is sent to a URL.
    func sent(to text: String, at now: Date = .start) -> String {
        cookies(for: url(text), at: now).map(\.pair).joined(separator: "; ")
    }

    /// Stores fields that came from a URL.
    @discardableResult
    func store(_ fields: String..., from text: String, at now: Date = .start) -> [Cookie.Refusal] {
        store(HTTPFields(fields.map { HTTPField(name: .setCookie, value: $0) }), from: url(text), at: now)
    }
}
