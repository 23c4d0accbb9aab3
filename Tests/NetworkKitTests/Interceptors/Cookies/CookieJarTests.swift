import Foundation
import Testing

@testable import NetworkKit

@Suite("A cookie jar in memory")
struct CookieJarTests {
    @Test("A session's cookies through a few answers")
    func story() {
        let jar = CookieJar()
        jar.store("SID=31d4d96e407aad42; Path=/; Domain=example.com", "lang=en-US; Max-Age=60", from: "https://www.example.com/")
        #expect(jar.sent(to: "https://www.example.com/") == "SID=31d4d96e407aad42; lang=en-US")
        #expect(jar.sent(to: "https://api.example.com/") == "SID=31d4d96e407aad42")
        #expect(jar.sent(to: "https://example.org/") == "")
        jar.store("lang=; Expires=Sun, 06 Nov 1994 08:49:37 GMT", from: "https://www.example.com/")
        #expect(jar.sent(to: "https://www.example.com/") == "SID=31d4d96e407aad42")
        #expect(jar.description == "1 cookies")
    }

    @Test("What isn't stored is told, in order, and the rest is stored")
    func refusals() {
        let jar = CookieJar()
        let refusals = jar.store("a=1; Domain=com", "b=2", "c=3; Secure", "", "d=4", from: "http://example.com/")
        #expect(refusals == [.publicSuffix("com"), .insecureSource, .empty])
        #expect(jar.sent(to: "http://example.com/") == "b=2; d=4")
    }

    @Test("A cookie of 1 MiB is refused, and nothing else is harmed")
    func mebibyte() {
        let jar = CookieJar()
        let size = 1 << 20
        #expect(jar.store("a=" + String(repeating: "x", count: size), "b=2", from: "https://example.com/") == [.tooLarge(size + 1)])
        #expect(jar.sent(to: "https://example.com/") == "b=2")
        #expect(Cookie.Refusal.tooLarge(size + 1).description.contains("1048577"))
    }

    @Test("Of one answer 500 cookies are looked at, and the rest is refused")
    func manyOfOneAnswer() {
        let jar = CookieJar()
        let fields = HTTPFields((0..<15_000).map { HTTPField(name: .setCookie, value: "c\($0)=\($0)") })
        #expect(jar.store(fields, from: url("https://example.com/"), at: .start) == Array(repeating: .tooMany, count: 14_500))
        #expect(jar.all.map(\.name) == (450..<500).map { "c\($0)" })
        #expect(Cookie.Refusal.tooMany.description.contains("500"))
    }

    @Test("Cookies made by hand keep the same rules")
    func byHand() {
        let jar = CookieJar()
        let source = url("https://www.example.com/")
        func refusal(_ cookie: Cookie) -> Cookie.Refusal? { jar.store([cookie], from: source, at: .start).first }
        #expect(refusal(Cookie(name: "a", value: "1", domain: "WWW.example.com", expires: .distantFuture, isSecure: true)) == nil)
        #expect(refusal(Cookie(name: "b", value: "1", domain: "example.com", isHostOnly: false)) == nil)
        #expect(refusal(Cookie(name: "c", value: "1", domain: "example.com")) == .foreignDomain("example.com"))
        #expect(refusal(Cookie(name: "c", value: "1", domain: "com", isHostOnly: false)) == .publicSuffix("com"))
        #expect(refusal(Cookie(name: "c", value: "1; d=2", domain: "www.example.com")) == .character)
        #expect(refusal(Cookie(name: "c=d", value: "1", domain: "www.example.com")) == .character)
        #expect(refusal(Cookie(name: "c", value: "1\r\nX: y", domain: "www.example.com")) == .character)
        #expect(refusal(Cookie(name: "", value: "", domain: "www.example.com")) == .empty)
        #expect(refusal(Cookie(name: "c", value: "1", domain: "www.example.com", path: "x")) == .path)
        #expect(refusal(Cookie(name: "__Host-c", value: "1", domain: "www.example.com")) == .prefix("__Host-"))
        #expect(refusal(Cookie(name: "c", value: String(repeating: "x", count: 4096), domain: "www.example.com")) == .tooLarge(4097))
        #expect(jar.sent(to: "https://www.example.com/") == "a=1; b=1")
        #expect(jar.all.first?.expires == Date.start.addingTimeInterval(400 * 86_400))
        #expect(jar.all.first?.created == .start)
    }

    @Test("A cookie without a name is sent as its value")
    func nameless() {
        let jar = CookieJar()
        jar.store("=one", from: "https://example.com/")
        #expect(jar.sent(to: "https://example.com/") == "one")
        jar.store("two", "a=b", from: "https://example.com/")
        #expect(jar.sent(to: "https://example.com/") == "two; a=b")
    }

    @Test("Cookies can be removed, by what they are or all")
    func removing() {
        let jar = CookieJar()
        jar.store("a=1", "b=2", from: "https://example.com/")
        jar.remove { $0.name == "a" }
        #expect(jar.all.map(\.name) == ["b"])
        jar.removeAll()
        #expect(jar.all.isEmpty && jar.sent(to: "https://example.com/") == "")
    }

    @Test("A program's own list of public suffixes counts")
    func publicSuffixes() {
        let jar = CookieJar { $0 == "co.uk" }
        #expect(jar.store("a=1; Domain=co.uk", from: "https://shop.co.uk/") == [.publicSuffix("co.uk")])
        #expect(jar.store("a=1; Domain=shop.co.uk", from: "https://www.shop.co.uk/") == [])
    }

    @Test("A jar shows nothing of its cookies")
    func descriptions() {
        let jar = CookieJar()
        jar.store("sid=opensesame", from: "https://example.com/")
        #expect(!everythingShown(of: jar).contains("opensesame"))
    }

    @Test("Many tasks use one jar")
    func parallel() async {
        let jar = CookieJar()
        await withTaskGroup { group in
            for index in 0..<40 {
                group.addTask {
                    jar.store("c\(index)=1", from: "https://example.com/")
                    _ = jar.sent(to: "https://example.com/")
                }
            }
        }
        #expect(jar.all.count == 40)
    }
}
