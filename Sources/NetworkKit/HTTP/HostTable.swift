/// What is kept for each host that is asked, within a bound: an app that asks ever new hosts must not grow for ever.
///
/// A place is found by its origin once a request; after that it is reached by its number. Its value may be forgotten meanwhile, and
/// then nobody is told of a change to it.
struct HostTable<Value> {
    /// Names what is kept for one host, and nothing that later takes its place.
    struct Place: Sendable, Hashable {
        fileprivate let index: Int
        fileprivate let generation: Int
    }

    /// Whether a value may be forgotten.
    enum Worth {
        /// It is as good as a new one.
        case none
        /// It says something, but when memory must be made, what was used longest ago goes.
        case some
        /// Somebody relies on it.
        case needed
    }

    private struct Entry {
        var origin: Origin
        var value: Value
        var generation = 0
        var lastUse = 0
        var isFree = false
    }

    private let bound: Int
    private var entries: [Entry] = []
    private var indices: [Origin: Int] = [:]
    private var free: [Int] = []
    private var uses = 0
    /// Where to look before hashing: nearly always the next request goes to the same host.
    private var last = 0

    /// - Parameter bound: past how many hosts something is forgotten. Those that are needed stay, whatever their number.
    init(bound: Int) { self.bound = bound }

    /// How many hosts are known.
    var count: Int { indices.count }

    /// The place of a host, made when there is none.
    ///
    /// - Parameter worth: whether a value may be forgotten; asked of all when there are too many.
    mutating func place(of origin: Origin, worth: (Value) -> Worth, make: () -> Value) -> Place {
        uses += 1
        let index = index(of: origin) ?? add(origin, make(), worth)
        entries[index].lastUse = uses
        last = index
        return Place(index: index, generation: entries[index].generation)
    }

    /// Changes what is kept for a host; `nil` when it has been forgotten.
    mutating func change<Result>(_ place: Place, _ change: (inout Value) -> Result) -> Result? {
        guard holds(place) else { return nil }
        return change(&entries[place.index].value)
    }

    /// What is kept for a host; `nil` when it has been forgotten.
    subscript(place: Place) -> Value? { holds(place) ? entries[place.index].value : nil }

    /// The host of a place.
    func origin(of place: Place) -> Origin? { holds(place) ? entries[place.index].origin : nil }

    private func holds(_ place: Place) -> Bool { entries[place.index].generation == place.generation }

    private func index(of origin: Origin) -> Int? {
        if last < entries.count, !entries[last].isFree, entries[last].origin == origin { return last }
        return indices[origin]
    }

    private mutating func add(_ origin: Origin, _ value: Value, _ worth: (Value) -> Worth) -> Int {
        if indices.count >= bound { makeRoom(worth) }
        let index = free.popLast() ?? entries.endIndex
        if index == entries.endIndex {
            entries.append(Entry(origin: origin, value: value))
        } else {
            entries[index].origin = origin
            entries[index].value = value
            entries[index].isFree = false
        }
        indices[origin] = index
        return index
    }

    /// Forgets what is worth nothing, and then what was used longest ago, down to three quarters of the bound, so that it isn't done
    /// for every new host.
    private mutating func makeRoom(_ worth: (Value) -> Worth) {
        var rest: [Int] = []
        for index in indices.values {
            switch worth(entries[index].value) {
            case .none: forget(index)
            case .some: rest.append(index)
            case .needed: break
            }
        }
        let surplus = indices.count - bound * 3 / 4
        guard surplus > 0 else { return }
        rest.sort { entries[$0].lastUse < entries[$1].lastUse }
        for index in rest.prefix(surplus) { forget(index) }
    }

    private mutating func forget(_ index: Int) {
        indices[entries[index].origin] = nil
        entries[index].generation += 1
        entries[index].isFree = true
        free.append(index)
    }
}
