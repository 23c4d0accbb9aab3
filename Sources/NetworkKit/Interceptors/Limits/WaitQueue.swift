/// Who waits, first come, first served. Whoever leaves from the middle is found by the number that was given out, at the cost of a
/// binary search.
struct WaitQueue<Element> {
    private var entries: [(order: Int, element: Element?)] = []
    private var head = 0
    /// How many wait.
    private(set) var count = 0

    /// Nobody.
    init() {}

    var isEmpty: Bool { count == 0 }

    /// The number of the first.
    var firstOrder: Int? { isEmpty ? nil : entries[head].order }

    /// Adds one behind the others.
    ///
    /// - Parameter order: larger than all before.
    mutating func append(_ element: Element, order: Int) {
        entries.append((order, element))
        count += 1
    }

    /// Takes the first out.
    mutating func popFirst() -> Element? {
        guard !isEmpty else { return nil }
        defer { removed(head) }
        return entries[head].element
    }

    /// Takes one out, wherever it stands; `nil` when it isn't there any more.
    mutating func remove(order: Int) -> Element? {
        var (low, high) = (head, entries.endIndex)
        while low < high {
            let middle = low + (high - low) / 2
            if entries[middle].order < order { low = middle + 1 } else { high = middle }
        }
        guard low < entries.endIndex, entries[low].order == order, let element = entries[low].element else { return nil }
        removed(low)
        return element
    }

    private mutating func removed(_ index: Int) {
        entries[index].element = nil
        count -= 1
        guard !isEmpty else {
            entries.removeAll(keepingCapacity: entries.count < 64)
            head = 0
            return
        }
        while entries[head].element == nil { head += 1 }
        // The first may wait long while many behind it come and leave.
        if entries.count > 64, entries.count > 2 * count {
            entries.removeAll { $0.element == nil }
            head = 0
        }
    }
}
