/// How far a body has come.
public struct TransferProgress: Sendable, Hashable {
    /// How many bytes have come or gone so far. It never goes back, also where a request is sent again.
    public var completed: Int64
    /// How many there will be; `nil` while nobody knows. Never less than ``completed``.
    public var total: Int64?

    /// So many bytes of so many.
    ///
    /// - Parameters:
    ///   - completed: the bytes so far; less than zero counts as zero.
    ///   - total: all bytes; one that has been passed says nothing, and becomes `nil`.
    public init(completed: Int64 = 0, total: Int64? = nil) {
        self.completed = max(completed, 0)
        self.total = total.flatMap { $0 >= max(completed, 0) ? $0 : nil }
    }

    /// Which part is done, from 0 to 1; `nil` while nobody knows. Nothing at all is done from the beginning.
    public var fraction: Double? {
        total.map { $0 > 0 ? Double(completed) / Double($0) : 1 }
    }

    /// Goes on to a count. One that is behind is from a sending that catches up, and changes nothing.
    ///
    /// - Returns: whether it is news.
    mutating func advance(to count: Int64) -> Bool {
        guard count > completed else { return false }
        self = TransferProgress(completed: count, total: total)
        return true
    }

    /// Learns how many bytes there will be.
    mutating func expect(_ count: Int64?) { self = TransferProgress(completed: completed, total: count) }
}
