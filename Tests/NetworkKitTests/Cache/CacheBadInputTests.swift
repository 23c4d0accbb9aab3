import NetworkKitTesting
import PlatformBase
import Testing

@testable import NetworkKit

@Suite("What a cache makes of nonsense")
struct CacheBadInputTests {
    /// Whether the second of two requests is answered from the cache, ten seconds after the first.
    private func isReused(_ headers: HTTPFields) async throws -> Bool {
        let bench = CacheBench(.text("1", headers: headers), .text("2"))
        try await bench.get()
        bench.clock.advance(by: .seconds(10))
        return try await bench.get().use == .hit
    }

    @Test(
        "Garbage in Cache-Control makes nothing fresh",
        arguments: [
            "=", ",,,", "max-age", "max-age=", "max-age=\"", "max-age==60", "max-age=60=", "max-age:60", "max-age=٦٠", "\"max-age=60",
            "max age=60",
        ])
    func garbage(control: String) async throws {
        #expect(try await !isReused(["Cache-Control": control]))
    }

    @Test(
        "Garbage beside a directive does it no harm",
        arguments: ["max-age=60, =", ", ,max-age=60", "x y z, max-age=60", "max-age=60, \"open"])
    func besideGarbage(control: String) async throws {
        #expect(try await isReused(["Cache-Control": control]))
    }

    @Test("Of directives that contradict each other the stricter counts, of two the same the first")
    func conflicts() async throws {
        #expect(try await !isReused(["Cache-Control": "max-age=60, no-store"]))
        #expect(try await !isReused(["Cache-Control": "no-cache, max-age=60"]))
        #expect(try await !isReused(["Cache-Control": "max-age=5, max-age=60"]))
        #expect(try await isReused(["Cache-Control": ["max-age=60", "max-age=5"]]))
        #expect(try await !isReused(["Cache-Control": "max-age=5", "Expires": "Thu, 01 Jan 2050 00:00:00 GMT"]))
    }

    @Test("Dates of 1970 are past, those after 2038 are to come, and those before any calendar are none")
    func dates() async throws {
        #expect(try await !isReused(["Expires": "Thu, 01 Jan 1970 00:00:00 GMT"]))
        #expect(try await !isReused(["Expires": "Wed, 31 Dec 1969 23:59:59 GMT"]))
        #expect(try await isReused(["Expires": "Tue, 19 Jan 2038 03:14:08 GMT"]))
        #expect(try await isReused(["Expires": "Fri, 31 Dec 9999 23:59:59 GMT"]))
        #expect(try await !isReused(["Expires": "Thu, 01 Jan 0000 00:00:00 GMT"]))
        #expect(try await isReused(["Cache-Control": "max-age=99999999999999999999", "Date": "Thu, 01 Jan 1970 00:00:00 GMT"]))
        #expect(try await !isReused(["Cache-Control": "max-age=60", "Date": "Thu, 01 Jan 1970 00:00:00 GMT"]))
        #expect(try await !isReused(["Cache-Control": "max-age=60", "Age": "99999999999999999999"]))
    }

    @Test("A clock that was set back doesn't make an old answer young")
    func clockJump() async throws {
        let bench = CacheBench(.text("1", headers: ["Cache-Control": "max-age=60"]), .text("2", headers: ["Cache-Control": "max-age=60"]))
        bench.clock.date = cacheStart.addingTimeInterval(86_400)
        try await bench.get()
        bench.clock.date = cacheStart
        #expect(try await bench.get().text == "2")
        bench.clock.date = cacheStart.addingTimeInterval(-5)
        let reading = try await bench.get()
        #expect(reading.text == "2" && reading.headers[.age] == "0")
        bench.clock.date = cacheStart.addingTimeInterval(-86_400)
        let old = try await bench.get(policy: .preferCache)
        #expect(old.use == .stale && old.headers[.age] == "2147483648")
    }

    @Test("A 304 that nobody asked for is handed on, and stored by nobody")
    func unaskedNotModified() async throws {
        let bench = CacheBench(.status(304, headers: ["Cache-Control": "max-age=60"]), .text("2"))
        #expect(try await bench.get().status == 304)
        #expect(try await bench.get().text == "2")
    }

    @Test("A store that can't give what it found, or takes nothing, costs no answer", arguments: [true, false])
    func brokenStore(loses: Bool) async throws {
        let headers: HTTPFields = ["Cache-Control": "max-age=60", "ETag": "\"1\""]
        let bench = CacheBench(
            cache: HTTPCache(store: BrokenStore(loses: loses)), .text("1", headers: headers), .text("2", headers: headers),
            .status(304), .text("4", headers: headers))
        #expect(try await bench.get().text == "1")
        #expect(try await bench.get().text == "2")
        guard loses else { return }
        bench.clock.advance(by: .seconds(70))
        #expect(try await bench.get().text == "4")
        #expect(try await bench.get(policy: .cacheOnly).status == 504)
    }

    /// Loses all bodies, or takes none.
    private final class BrokenStore: CacheStore {
        private let memory = MemoryStore(capacity: 1 << 20)
        private let loses: Bool

        init(loses: Bool) { self.loses = loses }

        func entries(for key: CacheKey) async -> [CacheEntry] { await memory.entries(for: key) }
        func body(of entry: CacheEntry, in range: Range<Int64>?) async -> (any BodySource)? { nil }
        func writer(for key: CacheKey, response: StoredResponse, length: Int64?) async -> (any CacheWriter)? {
            loses ? await memory.writer(for: key, response: response, length: length) : nil
        }
        func update(_ entry: CacheEntry, of key: CacheKey, to response: StoredResponse) async -> CacheEntry? {
            await memory.update(entry, of: key, to: response)
        }
        func remove(_ key: CacheKey) async { await memory.remove(key) }
        func remove(_ entry: CacheEntry, of key: CacheKey) async { await memory.remove(entry, of: key) }
        func removeAll() async { await memory.removeAll() }
    }
}
