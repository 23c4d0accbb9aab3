import PlatformBase
import Testing

@testable import NetworkKit

@Suite("Which answer of a URL fits a request")
struct CacheSelectionTests {
    private func fits(
        _ vary: [String], _ first: HTTPFields, _ second: HTTPFields, identity: String? = nil, other: String? = nil
    ) -> Bool? {
        CacheVariant(of: pageRequest("https://a.test/", .get, first), vary: vary, identity: identity)?
            .fits(pageRequest("https://a.test/", .get, second), identity: other ?? identity)
    }

    private static let table: [(vary: [String], first: HTTPFields, second: HTTPFields, fits: Bool?)] = [
        ([], ["Foo": "1"], ["Foo": "2"], true),
        (["Foo"], ["Foo": "1"], ["foo": "1"], true),
        (["Foo"], ["Foo": "1"], ["Foo": "2"], false),
        (["Foo"], ["Foo": "a"], ["Foo": "A"], false),
        (["Foo"], ["Foo": "\u{e9}"], ["Foo": "e\u{301}"], false),
        (["Foo"], [:], ["Foo": "1"], false),
        (["Foo"], ["Foo": "1"], [:], false),
        (["Foo"], ["Foo": "1"], ["Foo": ""], false),
        (["Foo"], [:], [:], true),
        (["Foo, Bar"], ["Foo": "1", "Bar": "2"], ["Bar": "2", "Foo": "1", "Baz": "3"], true),
        (["Foo, Bar"], ["Foo": "1", "Bar": "2"], ["Foo": "1", "Bar": "3"], false),
        (["Foo", "Bar"], ["Foo": "1", "Bar": "2"], ["Foo": "1"], false),
        (["Foo"], ["Foo": "1, 2"], ["Foo": ["1", "2"]], true),
        (["Foo"], ["Foo": "1,2"], ["Foo": " 1 , 2 "], true),
        (["Foo"], ["Foo": "1, 2"], ["Foo": "2, 1"], false),
        (["Foo"], ["Foo": "\"a,b\""], ["Foo": "\"a, b\""], false),
        (["Accept-Language"], ["Accept-Language": "en, de"], ["Accept-Language": "EN,De"], true),
        // Servers take the order for a preference.
        (["Accept-Language"], ["Accept-Language": "en, de"], ["Accept-Language": "de, en"], false),
        (["Accept-Encoding"], [:], [:], true),
        (["Cookie"], ["Cookie": "a=b"], ["Cookie": "a=b"], true),
        (["Cookie"], ["Cookie": "a=b"], ["Cookie": "a=c"], false),
        (["X-Key"], ["X-Key": .secret("k")], ["X-Key": .secret("k")], true),
        (["X-Key"], ["X-Key": .secret("k")], ["X-Key": .secret("l")], false),
        ([""], ["Foo": "1"], [:], true),
        (["*"], [:], [:], nil), (["*, *"], [:], [:], nil), (["*", "*"], [:], [:], nil), ([", *"], [:], [:], nil),
        (["", "*"], [:], [:], nil), (["*, Foo"], [:], [:], nil), (["Foo, *"], [:], [:], nil),
    ]

    @Test("By the fields that Vary names", arguments: table)
    func vary(vary: [String], first: HTTPFields, second: HTTPFields, isFit: Bool?) {
        #expect(fits(vary, first, second) == isFit)
    }

    @Test("By whose it is: another account never fits, and a token that was renewed does")
    func identity() {
        #expect(fits([], [:], [:], identity: "anna", other: "bert") == false)
        #expect(fits([], [:], [:], identity: nil, other: "bert") == false)
        #expect(fits([], [:], [:], identity: "Andr\u{e9}", other: "Andre\u{301}") == false)
        #expect(fits(["Authorization"], ["Authorization": "old"], ["Authorization": "new"], identity: "anna") == true)
        #expect(fits(["Authorization"], ["Authorization": "old"], ["Authorization": "new"]) == false)
    }

    @Test("Two ways to write one letter are two variants")
    func bytes() {
        let variants = ["\u{e9}", "e\u{301}"].map { CacheVariant(identity: $0, selectors: []) }
        let selectors = ["\u{e9}", "e\u{301}"].map { CacheVariant(identity: nil, selectors: [.init(name: "foo", value: $0)]) }
        #expect(variants[0] == variants[0] && variants[0] != variants[1])
        #expect(selectors[0] == selectors[0] && selectors[0] != selectors[1])
    }

    @Test("In a shared cache, credentials that are added nearer to the server count as the field that Vary names")
    func addedCredentials() {
        func fits(_ vary: String, _ one: HTTPRequest, _ other: HTTPRequest) -> Bool? {
            CacheVariant(of: one, vary: [vary], identity: nil)?.fits(other, identity: nil)
        }
        let (anna, bert) = (pageRequest(identity: "anna"), pageRequest(identity: "bert"))
        for vary in ["Authorization", "Cookie", "Accept, authorization"] {
            #expect(fits(vary, anna, anna) == true)
            #expect(fits(vary, anna, bert) == false)
            #expect(fits(vary, anna, pageRequest()) == false && fits(vary, pageRequest(), anna) == false)
        }
        #expect(fits("Accept", anna, bert) == true)
    }

    @Test("A request without a session counts by its own credentials")
    func ownCredentials() {
        let (one, same, other) = ("Bearer 1", "Bearer 1", "Bearer 2")
        let identity = { CacheIdentity.identity(of: pageRequest("https://a.test/", .get, ["Authorization": $0])) }
        #expect(identity(one) == identity(same) && identity(one) != identity(other))
        #expect(CacheIdentity.identity(of: pageRequest()) == nil)
        #expect(CacheIdentity.identity(of: pageRequest("https://a.test/", .get, ["Authorization": "x"], identity: "anna")) == "anna")
    }

    @Test("A variant shows no secret, in whatever field it came")
    func secrets() throws {
        let request = pageRequest(
            "https://a.test/", .get, ["Cookie": "planted1", "Authorization": "planted2", "X-Key": .secret("planted3"), "X": "shown"])
        let variant = try #require(
            CacheVariant(
                of: request, vary: ["Cookie, Authorization, X-Key, X"], identity: CacheIdentity.identity(of: pageRequest())))
        #expect(!everythingShown(of: variant).contains("planted"))
        #expect(variant.selectors.map(\.name) == ["authorization", "cookie", "x", "x-key"])
    }

    @Test(
        "A key is the URL as requests for the same page have it",
        arguments: [
            ("https://a.test/p?q=1", "https://a.test/p?q=1"), ("https://a.test/p#f", "https://a.test/p"),
            ("https://a.test", "https://a.test/"),
            ("HTTPS://A.Test/P", "https://a.test/P"), ("https://a.test:443/p", "https://a.test/p"), ("http://a.test:80/", "http://a.test/"),
            ("http://a.test:8080/", "http://a.test:8080/"), ("http://a.test:/p", "http://a.test/p"),
            ("http://a.test:080/p", "http://a.test/p"),
            ("https://user:pw@a.test/p", "https://a.test/p"), ("https://a.test?q", "https://a.test/?q"),
            ("http://[::1]:8080/p", "http://[::1]:8080/p"),
            ("https://a.test:80/A@b:c?D#", "https://a.test:80/A@b:c?D"),
        ])
    func key(text: String, normal: String) {
        #expect(CacheKey(text) == CacheKey(normal))
        #expect(CacheKey(text).text == normal)
        #expect(!everythingShown(of: CacheKey(text)).contains("a.test"))
    }

    @Test("Different pages have different keys")
    func differentKeys() {
        let texts = [
            "https://a.test/p", "http://a.test/p", "https://a.test/P", "https://a.test/p?", "https://a.test/p?q", "https://a.test:444/p",
            "https://b.test/p", "https://a.test/p/", "https://a.test/%70",
        ]
        #expect(Set(texts.map { CacheKey($0) }).count == texts.count)
    }
}
