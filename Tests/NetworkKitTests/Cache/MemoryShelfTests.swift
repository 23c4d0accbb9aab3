import PlatformBase
import Testing

@testable import NetworkKit

@Suite("Entries in memory")
struct MemoryShelfTests {
    private let body = Data(repeating: 1, count: 1000)
    private func key(_ number: Int) -> CacheKey { CacheKey("https://a.test/\(number)") }
    private func response(_ tag: String = "", selectors: [CacheVariant.Selector] = []) -> StoredResponse {
        storedResponse(["ETag": tag], selectors: selectors)
    }

    @Test("What was used longest ago goes first, and the size is kept")
    func leastRecentlyUsed() throws {
        var shelf = MemoryShelf(capacity: 10_000)
        for number in 0..<6 { shelf.add(body, response(), for: key(number)) }
        #expect(shelf.count == 6 && shelf.size <= shelf.capacity)
        let first = try #require(shelf.entries(for: key(0)).first)
        let read = shelf.body(of: first.id)
        #expect(read == body)
        shelf.add(body, response(), for: key(6))
        #expect(!shelf.entries(for: key(0)).isEmpty && shelf.entries(for: key(1)).isEmpty && !shelf.entries(for: key(6)).isEmpty)
        for number in 7..<100 {
            shelf.add(body, response(), for: key(number))
            #expect(shelf.size <= shelf.capacity)
        }
        #expect(shelf.count == 6)
        for number in 94..<100 { shelf.remove(key(number)) }
        #expect(shelf.count == 0 && shelf.size == 0)
        shelf.add(body, response(), for: key(1))
        #expect(shelf.count == 1)
    }

    @Test("A new answer takes the place of the one with the same variant, and of no other")
    func replacement() throws {
        var shelf = MemoryShelf(capacity: 10_000)
        let one = response("1", selectors: [.init(name: "a", value: "1")])
        shelf.add(body, one, for: key(1))
        shelf.add(body, response("2", selectors: [.init(name: "a", value: "2")]), for: key(1))
        let old = try #require(shelf.entries(for: key(1)).first)
        shelf.add(Data(), response("3", selectors: [.init(name: "a", value: "1")]), for: key(1))
        #expect(Set(shelf.entries(for: key(1)).compactMap { $0.response.headers[.eTag] }) == ["2", "3"])
        let (body, updated) = (shelf.body(of: old.id), shelf.update(old.id, to: one))
        #expect(body == nil && updated == nil)
        shelf.remove(old.id)
        #expect(shelf.count == 2)
    }

    @Test("An update keeps the body and counts the new fields")
    func update() throws {
        var shelf = MemoryShelf(capacity: 10_000)
        shelf.add(body, response("1"), for: key(1))
        let (entry, size) = (try #require(shelf.entries(for: key(1)).first), shelf.size)
        let change = shelf.update(entry.id, to: response(String(repeating: "x", count: 501)))
        let updated = try #require(change)
        #expect(updated.length == 1000 && shelf.size == size + 500)
        let read = shelf.body(of: updated.id)
        let tooLarge = shelf.update(entry.id, to: response(String(repeating: "x", count: 20_000)))
        #expect(read == body && tooLarge == nil)
        #expect(shelf.count == 0 && shelf.size == 0)
    }

    @Test("One URL has so many variants and no more; the oldest goes")
    func variantLimit() {
        var shelf = MemoryShelf(capacity: 1 << 20)
        for number in 0..<100 {
            shelf.add(Data(), response("\(number)", selectors: [.init(name: "a", value: "\(number)")]), for: key(1))
        }
        let tags = shelf.entries(for: key(1)).compactMap { $0.response.headers[.eTag] }
        #expect(tags.count == MemoryShelf.variantLimit && tags.last == "99" && tags.first == "68")
    }

    @Test("Nothing fits into no room, and nothing comes of it")
    func noRoom() async {
        var shelf = MemoryShelf(capacity: -1)
        shelf.add(Data(), response(), for: key(1))
        #expect(shelf.count == 0 && shelf.size == 0)
        #expect(await MemoryStore(capacity: 0).writer(for: key(1), response: response(), length: 1) == nil)
    }

    @Test("A writer gives up a body that becomes too long, and one that was abandoned leaves nothing")
    func writers() async throws {
        let store = MemoryStore(capacity: 8000)
        #expect(await store.writer(for: key(1), response: response(), length: 2001) == nil)
        let long = try #require(await store.writer(for: key(1), response: response(), length: nil))
        #expect(await long.append(body))
        #expect(await long.append(body))
        #expect(await !long.append(Data([1])))
        await long.commit()
        let stopped = try #require(await store.writer(for: key(2), response: response(), length: nil))
        #expect(await stopped.append(body))
        stopped.abandon()
        stopped.abandon()
        await stopped.commit()
        #expect(await store.entries(for: key(1)).isEmpty)
        #expect(await store.entries(for: key(2)).isEmpty)
        let whole = try #require(await store.writer(for: key(3), response: response(), length: nil))
        _ = await whole.append(Data([1, 2]))
        _ = await whole.append(Data([3]))
        #expect(await store.entries(for: key(3)).isEmpty)
        await whole.commit()
        whole.abandon()
        let entry = try #require(await store.entries(for: key(3)).first)
        let all = try await store.body(of: entry, in: nil)?.collect(upTo: 9)
        let part = try await store.body(of: entry, in: 1..<3)?.collect(upTo: 9)
        #expect(entry.length == 3 && all == Data([1, 2, 3]) && part == Data([2, 3]))
    }

    @Test("Who asks the server for what: one validation an entry")
    func flights() {
        var flights = CacheFlights<String>()
        let first = flights.beginValidation(of: 1, orAwaitBy: "first")
        let second = flights.beginValidation(of: 1, orAwaitBy: "second")
        let (third, other) = (flights.beginValidation(of: 1), flights.beginValidation(of: 2))
        #expect(first && !second && !third && other)
        let (told, again) = (flights.endValidation(of: 1), flights.endValidation(of: 1))
        #expect(told == ["second"] && again == [])
        let next = flights.beginValidation(of: 1)
        #expect(next)
    }

    @Test("What is on its way when something changes isn't kept")
    func fills() {
        var flights = CacheFlights<String>()
        let (one, two, other) = (flights.beginFill(key(1)), flights.beginFill(key(1)), flights.beginFill(key(2)))
        #expect(flights.isValid(one) && flights.isValid(two))
        let wasValid = flights.endFill(one)
        #expect(wasValid && !flights.isValid(one) && flights.isValid(two))
        flights.invalidate(key(1))
        #expect(!flights.isValid(two) && flights.isValid(other))
        let isValidStill = flights.endFill(two)
        #expect(!isValidStill)
        let late = flights.beginFill(key(1))
        #expect(flights.isValid(late))
        flights.invalidateAll()
        #expect(!flights.isValid(late) && !flights.isValid(other))
    }
}
