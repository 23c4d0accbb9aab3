import Foundation
import Testing

@testable import NetworkKit

@Suite("Origins")
struct OriginTests {
    @Test(
        "Scheme, host and port, whatever their case and with the scheme's own port",
        arguments: [
            ("http://h.test/a?b", "http://h.test"), ("HTTP://H.Test:80", "http://h.test"), ("https://h.test:443/", "https://h.test"),
            ("https://h.test:80", "https://h.test:80"), ("http://[2001:DB8::1]:8080/", "http://[2001:db8::1]:8080"),
            ("http://u:p@h.test", "http://h.test"),
        ])
    func description(text: String, expected: String) throws {
        #expect(Origin(url(text))?.description == expected)
    }

    @Test("What can't be asked has none", arguments: ["ftp://h.test", "mailto:a@b", "/a", "http:a", "http://:80", "http://h.test:x"])
    func none(text: String) {
        #expect(Origin(URIReference(text)) == nil)
    }

    @Test(
        "Secrets may go to the same origin, and from http:80 to https:443 on the same host",
        arguments: [
            ("http://h.test", "http://h.test:80/x", true), ("http://h.test", "https://h.test", true),
            ("https://h.test", "http://h.test", false),
            ("http://h.test:8080", "https://h.test", false), ("http://h.test", "https://h.test:8443", false),
            ("http://h.test", "https://www.h.test", false), ("https://h.test", "https://h.test.", false),
            ("https://h.test", "https://h.test:444", false),
        ])
    func includes(home: String, other: String, expected: Bool) throws {
        let home = try #require(Origin(url(home)))
        let other = try #require(Origin(url(other)))
        #expect(home.includes(other) == expected)
    }
}
