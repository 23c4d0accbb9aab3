import Foundation
import Testing

@testable import NetworkKit

@Suite("What a cookie store keeps")
struct CookieStoreTests {
    private static let matchTable: [(String, [String])] = [
        ("https://example.com/", ["domain", "host", "secure"]), ("http://example.com/", ["domain", "host"]),
        ("https://a.example.com/", ["domain", "secure"]), ("https://b.a.example.com/x", ["path", "domain", "secure"]),
        ("https://example.com/x/y", ["path", "domain", "host", "secure"]), ("https://example.com/xy", ["domain", "host", "secure"]),
        ("https://EXAMPLE.com/", ["domain", "host", "secure"]), ("https://example.com./", []), ("https://badexample.com/", []),
        ("https://example.org/", []), ("http://127.0.0.1/", ["address"]), ("http://0.127.0.0.1/", []),
        ("http://localhost:1/", ["local"]),
        ("http://a.localhost/", []),
    ]

    private static let secureTable: [(String, String, String, Bool)] = [
        ("example.com", "/", "a", false), ("example.com", "/login/x", "a", false), ("www.example.com", "/login", "a", false),
        ("com", "/login", "a", false), ("example.com", "/login", "b", true), ("example.org", "/login", "a", true),
        ("example.com", "/", "a", false),
    ]

    private func cookie(
        _ name: String, domain: String = "example.com", path: String = "/", for seconds: TimeInterval? = nil, isSecure: Bool = false,
        isHostOnly: Bool = false, lastAccess: TimeInterval = 0
    ) -> Cookie {
        let date = Date.start.addingTimeInterval(lastAccess)
        return Cookie(
            name: name, value: "v-\(name)", domain: domain, path: path, expires: seconds.map { Date.start.addingTimeInterval($0) },
            isSecure: isSecure, isHTTPOnly: false, sameSite: nil, isHostOnly: isHostOnly, created: date, lastAccess: date)
    }

    private func store(_ cookies: Cookie...) -> CookieStore {
        var store = CookieStore()
        for cookie in cookies { store.insert(cookie, isFromSecure: true, now: .start) }
        return store
    }

    private func names(_ store: inout CookieStore, _ place: String, after seconds: TimeInterval = 0) -> [String] {
        store.cookies(for: CookiePlace(sure: place)) { Date.start.addingTimeInterval(seconds) }.map(\.name)
    }

    @Test(
        "A request has the cookies of its host, those above it, its path and its safety",
        arguments: matchTable)
    func matching(place: String, expected: [String]) {
        var store = store(
            cookie("domain"), cookie("host", isHostOnly: true), cookie("path", path: "/x"), cookie("secure", isSecure: true),
            cookie("address", domain: "127.0.0.1", isHostOnly: true), cookie("local", domain: "localhost", isHostOnly: true))
        #expect(names(&store, place) == expected)
    }

    @Test("Longer paths are sent first, then older cookies, whichever domain they are of")
    func order() {
        var store = store(
            cookie("1", domain: "a.example.com"), cookie("2"), cookie("3", path: "/x/y"), cookie("4", domain: "a.example.com", path: "/x"),
            cookie("5", path: "/x"))
        #expect(names(&store, "http://a.example.com/x/y") == ["3", "4", "5", "1", "2"])
    }

    @Test("A cookie takes the place of one with its name, domain and path, and keeps that one's age")
    func replacing() {
        var store = store(cookie("a"), cookie("b"))
        var newer = cookie("a", lastAccess: 9)
        newer.value = "new"
        store.insert(newer, isFromSecure: true, now: .start)
        #expect(store.count == 2 && store.all.map(\.value) == ["new", "v-b"])
        #expect(store.all.first?.created == .start && store.all.first?.lastAccess == Date.start.addingTimeInterval(9))
        for other in [cookie("A"), cookie("a", path: "/x"), cookie("a", domain: "a.example.com"), cookie("a", isHostOnly: true)] {
            store.insert(other, isFromSecure: true, now: .start)
        }
        #expect(store.count == 6)
    }

    @Test("A cookie that has ended isn't sent, and removes the one in its place")
    func ending() {
        var store = store(cookie("a", for: 60), cookie("b", for: 120), cookie("c"))
        #expect(names(&store, "http://example.com/", after: 59.9) == ["a", "b", "c"])
        #expect(names(&store, "http://example.com/", after: 60) == ["b", "c"])
        #expect(store.count == 2)
        store.insert(cookie("b", for: 0), isFromSecure: true, now: .start)
        store.insert(cookie("d", for: -1), isFromSecure: true, now: .start)
        #expect(store.all.map(\.name) == ["c"] && store.count == 1)
    }

    @Test("A clock that jumps back brings nothing back, and lets nothing live longer than 400 days from then")
    func clockJumpsBack() {
        var store = store(cookie("a", for: 60))
        #expect(names(&store, "http://example.com/", after: 61) == [])
        #expect(names(&store, "http://example.com/", after: -1000) == [])
        store.insert(cookie("b", for: 400 * 86_400), isFromSecure: true, now: Date.start.addingTimeInterval(-1000))
        #expect(store.all.first?.expires == Date.start.addingTimeInterval(400 * 86_400 - 1000))
    }

    @Test(
        "What comes over http leaves Secure cookies alone",
        arguments: secureTable)
    func secureAlone(domain: String, path: String, name: String, isStored: Bool) {
        // The Secure cookie's path is the root: whatever path another has lies below it.
        var store = store(cookie("a", isSecure: true))
        let refusal = store.insert(cookie(name, domain: domain, path: path), isFromSecure: false, now: .start)
        #expect(refusal == (isStored ? nil : .hidesSecure))
        #expect(store.count == (isStored ? 2 : 1))
    }

    @Test("Over http a cookie may stand above a Secure one's path, but not be removed or hidden by it")
    func secureAloneByPath() {
        var store = store(cookie("a", path: "/login", isSecure: true))
        #expect(store.insert(cookie("a", path: "/login/en"), isFromSecure: false, now: .start) == .hidesSecure)
        #expect(store.insert(cookie("a", path: "/login", for: -1), isFromSecure: false, now: .start) == .hidesSecure)
        #expect(store.insert(cookie("a", path: "/"), isFromSecure: false, now: .start) == nil)
        #expect(store.insert(cookie("a", path: "/login"), isFromSecure: true, now: .start) == nil)
        #expect(store.count == 2)
    }

    @Test("A Secure cookie that has ended is in nobody's way, and hands nothing on")
    func endedSecure() {
        var store = store(cookie("a", for: 10, isSecure: true))
        let date = Date.start.addingTimeInterval(11)
        #expect(store.insert(cookie("a", domain: "www.example.com", lastAccess: 11), isFromSecure: false, now: date) == nil)
        #expect(store.insert(cookie("a", lastAccess: 11), isFromSecure: false, now: date) == nil)
        #expect(store.count == 2 && store.all.allSatisfy { $0.created == date })
    }

    @Test("A domain keeps 50 cookies: what has ended goes first, then what isn't Secure, then what was sent the longest time ago")
    func domainLimit() {
        var store = CookieStore()
        for index in 0..<48 {
            store.insert(cookie("s\(index)", isSecure: true, lastAccess: Double(index)), isFromSecure: true, now: .start)
        }
        store.insert(cookie("plain", lastAccess: 100), isFromSecure: true, now: .start)
        store.insert(cookie("short", for: 10, isSecure: true, lastAccess: 100), isFromSecure: true, now: .start)
        #expect(store.count == 50)
        func add(_ name: String, after seconds: TimeInterval) -> Set<String> {
            let before = Set(store.all.map(\.name))
            let date = Date.start.addingTimeInterval(seconds)
            store.insert(cookie(name, isSecure: true, lastAccess: 200), isFromSecure: true, now: date)
            #expect(store.count == 50)
            return before.subtracting(store.all.map(\.name))
        }
        #expect(add("x", after: 11) == ["short"])
        #expect(add("y", after: 12) == ["plain"])
        #expect(add("z", after: 13) == ["s0"])
        // One that isn't Secure finds no room among Secure ones: it is the first to go.
        store.insert(cookie("late", lastAccess: 300), isFromSecure: true, now: Date.start.addingTimeInterval(14))
        #expect(store.count == 50 && !store.all.contains { $0.name == "late" })
        // Other domains aren't touched, those below neither.
        store.insert(cookie("other", domain: "a.example.com"), isFromSecure: true, now: .start)
        #expect(store.count == 51)
    }

    @Test("Sending counts as use, so that what is in use stays")
    func useCounts() {
        var store = CookieStore()
        store.insert(cookie("old", path: "/used"), isFromSecure: true, now: .start)
        for index in 0..<49 { store.insert(cookie("\(index)", path: "/other", lastAccess: 1), isFromSecure: true, now: .start) }
        #expect(names(&store, "http://example.com/used", after: 5).first == "old")
        store.insert(cookie("new", lastAccess: 6), isFromSecure: true, now: .start)
        #expect(store.all.contains { $0.name == "old" } && !store.all.contains { $0.name == "0" })
    }

    @Test("A jar keeps 3,000 cookies: what has ended goes first, then what was sent the longest time ago")
    func limit() {
        var store = CookieStore()
        for index in 0..<3000 {
            store.insert(
                cookie("c", domain: "h\(index).test", for: index == 7 || index == 8 ? 10 : nil, lastAccess: Double(index)),
                isFromSecure: true,
                now: .start)
        }
        #expect(store.count == 3000)
        store.insert(cookie("x", domain: "x.test", lastAccess: 5000), isFromSecure: true, now: Date.start.addingTimeInterval(20))
        #expect(store.count == 2999 && store.all.count == 2999)
        store.insert(cookie("y", domain: "y.test", lastAccess: 5001), isFromSecure: true, now: Date.start.addingTimeInterval(20))
        store.insert(cookie("z", domain: "z.test", lastAccess: 5002), isFromSecure: true, now: Date.start.addingTimeInterval(20))
        #expect(store.count == 3000)
        #expect(!store.all.contains { ["h0.test", "h7.test", "h8.test"].contains($0.domain) })
        #expect(store.all.contains { $0.domain == "h1.test" } && store.all.last?.domain == "z.test")
    }

    @Test("A full store makes room for several at once, as it would for one after the other")
    func severalAtOnce() {
        var full = CookieStore()
        full.insert(
            (0..<3000).map { .success(cookie("c", domain: "h\($0).test", for: $0 == 9 ? 10 : nil, lastAccess: Double($0))) },
            isFromSecure: true, now: .start)
        #expect(full.count == 3000)
        let date = Date.start.addingTimeInterval(20)
        let more = (0..<4).map { cookie("m\($0)", domain: "more.test", lastAccess: 5000 + Double($0)) }
        var (atOnce, oneByOne) = (full, full)
        let results = more.map { Result<Cookie, Cookie.Refusal>.success($0) }
        #expect(atOnce.insert(results + [.failure(.empty)], isFromSecure: true, now: date) == [.empty])
        for cookie in more { oneByOne.insert(cookie, isFromSecure: true, now: date) }
        #expect(atOnce.count == 3000 && atOnce.all == oneByOne.all)
        #expect(!atOnce.all.contains { $0.domain == "h0.test" || $0.domain == "h9.test" || $0.domain == "h2.test" })
        #expect(atOnce.all.first?.domain == "h3.test")
    }

    @Test("Over http several at once leave Secure cookies alone, each of them")
    func severalOverHTTP() {
        var store = store(cookie("a", isSecure: true), cookie("b", domain: "www.example.com", path: "/x", isSecure: true))
        let several = [cookie("a"), cookie("c"), cookie("b", domain: "example.com", path: "/x/y"), cookie("b")]
        #expect(store.insert(several.map { .success($0) }, isFromSecure: false, now: .start) == [.hidesSecure, .hidesSecure])
        #expect(store.all.map(\.name) == ["a", "b", "c", "b"])
    }

    @Test("What a file holds changes with cookies that have a date alone")
    func changes() {
        var store = store(cookie("session"))
        #expect(store.changes.ofAny == 1 && store.changes.ofDated == 0)
        store.insert(cookie("a", for: 60), isFromSecure: true, now: .start)
        let before = store.changes
        _ = names(&store, "http://example.com/")
        #expect(store.changes == before)
        store.remove { $0.name == "a" }
        #expect(store.changes.ofDated == before.ofDated + 1 && store.count == 1)
    }
}
