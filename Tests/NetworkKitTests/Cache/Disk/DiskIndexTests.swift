import Testing

@testable import NetworkKit

@Suite("The index of a disk store")
struct DiskIndexTests {
    func name(_ url: UInt64, _ variant: UInt64 = 0) -> EntryName { EntryName(key: .init(low: url, high: 0), variant: variant) }

    func index(_ capacity: Int64, _ sizes: Int64...) -> DiskIndex {
        var index = DiskIndex(capacity: capacity)
        for (url, size) in sizes.enumerated() { _ = index.add(name(UInt64(url)), size: size, nonce: 1, now: 0) }
        return index
    }

    @Test("What was used longest ago goes first")
    func eviction() {
        var index = index(30, 10, 10, 10)
        #expect(index.ids(for: name(0).key) == [1])
        _ = index.use(1, now: 0)
        let added = index.add(name(3), size: 15, nonce: 1, now: 0)
        #expect(added.gone.map(\.name) == [name(1), name(2)])
        #expect(index.size == 25 && index.count == 2)
        #expect(index.contains(name(0)) && index.contains(name(3)))
    }

    @Test("What a directory holds is in the order in which it was last used, and no more than may be")
    func loading() {
        var index = DiskIndex(capacity: 25)
        let found = [(1, 30), (2, 10), (3, 20)].map { DiskIndex.Found(name: name($0.0), size: 10, modified: $0.1) }
        let gone = index.load(found)
        #expect(gone.map(\.name) == [name(2)])
        let added = index.add(name(4), size: 10, nonce: 1, now: 0)
        #expect(added.gone.map(\.name) == [name(3)])
    }

    @Test("Room for what is being written is made before it is written, and given back")
    func reservation() {
        var index = index(30, 10, 10)
        let gone = [index.reserve(10), index.reserve(5), index.reserve(16)]
        #expect(gone.map { $0?.map(\.name) } == [[], [name(0)], nil])
        #expect(index.reserved == 15)
        index.release(15)
        #expect(index.reserved == 0 && index.size == 10)
    }

    @Test("What was removed takes its room until its file is gone")
    func removedButThere() {
        var index = index(30, 10, 10)
        let gone = index.removeAll()
        index.hold(gone)
        let early = index.reserve(20)
        #expect(early == nil)
        index.release(20)
        let late = index.reserve(20)
        #expect(late == [])
    }

    @Test("An entry takes the place of the one with its name alone")
    func replacement() {
        var index = index(100, 10)
        let other = index.add(name(0, 1), size: 10, nonce: 1, now: 0)
        #expect(other.replaced == nil)
        let again = index.add(name(0), size: 20, nonce: 2, now: 0)
        #expect(again.replaced == 1)
        #expect(Set(index.ids(for: name(0).key)) == [other.id, again.id])
        #expect(index.size == 30)
        #expect(index[again.id]?.nonce == 2)
    }

    @Test("One URL has so many variants, and the oldest goes for the next")
    func variants() {
        var index = DiskIndex(capacity: 1000)
        for variant in 0..<UInt64(DiskIndex.variantLimit) {
            let added = index.add(name(1, variant), size: 1, nonce: 1, now: 0)
            #expect(added.gone.isEmpty)
        }
        let added = index.add(name(1, 99), size: 1, nonce: 1, now: 0)
        #expect(added.gone.map(\.name) == [name(1, 0)])
        #expect(index.ids(for: name(1).key).count == DiskIndex.variantLimit)
    }

    @Test("A file is marked as used once a minute", arguments: [(0, false), (59, false), (60, true), (-60, true)] as [(Int64, Bool)])
    func touches(now: Int64, isTouched: Bool) {
        var index = index(10, 1)
        let touched = [index.use(1, now: now), index.use(1, now: now), index.use(77, now: now)]
        #expect(touched == [isTouched, false, false])
    }

    @Test("Through any steps it holds what a plain list would")
    func model() {
        var generator = SeededGenerator(seed: 11)
        var index = DiskIndex(capacity: 200)
        // Oldest first.
        var model: [(name: EntryName, size: Int64)] = []
        for _ in 0..<5000 {
            let name = name(.random(in: 0..<12, using: &generator), .random(in: 0..<3, using: &generator))
            switch Int.random(in: 0..<4, using: &generator) {
            case 0:
                for id in index.ids(for: name.key) where index[id]?.name == name { index.remove(id) }
                model.removeAll { $0.name == name }
            case 1:
                for id in index.ids(for: name.key) where index[id]?.name == name {
                    _ = index.use(id, now: 0)
                    if let place = model.firstIndex(where: { $0.name == name }) { model.append(model.remove(at: place)) }
                }
            default:
                let size = Int64.random(in: 0..<60, using: &generator)
                _ = index.add(name, size: size, nonce: 1, now: 0)
                model.removeAll { $0.name == name }
                model.append((name, size))
                while model.reduce(0, { $0 + $1.size }) > 200 { model.removeFirst() }
            }
            #expect(index.count == model.count && index.size == model.reduce(0) { $0 + $1.size })
            #expect(model.allSatisfy { index.contains($0.name) })
        }
        let all = index.removeAll()
        #expect(Set(all.map(\.name)) == Set(model.map(\.name)))
        #expect(index.count == 0 && index.size == 0 && index.ids(for: name(1).key).isEmpty)
    }

    @Test("What was read lately stays in memory, up to its bytes, the least lately read going first")
    func recent() {
        func item(_ id: UInt64, _ bytes: Int) -> RecentEntries.Item {
            .init(entry: CacheEntry(id: id, response: DiskBench.response([:]), length: Int64(bytes)), body: sampleBytes(bytes))
        }
        var recent = RecentEntries(capacity: 3000)
        recent.keep(item(1, 800))
        recent.keep(item(2, 800))
        let body = recent.body(1)
        #expect(body?.count == 800)
        recent.keep(item(3, 800))
        #expect(recent.entry(1) != nil && recent.entry(2) == nil && recent.entry(3) != nil)
        recent.keep(item(4, 5000))
        #expect(recent.entry(4) == nil && recent.count == 2)
        recent.update(CacheEntry(id: 1, response: DiskBench.response(["A": "b"]), length: 800))
        let old = recent.body(1)
        #expect(recent.entry(1)?.response.headers["A"] == "b" && old == body)
        recent.remove(1)
        recent.remove(3)
        #expect(recent.size == 0)
    }
}
