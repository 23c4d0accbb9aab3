/// What a call has sent so far, each with its beginning and its end: a value. Attempts may overlap, as hedged ones do.
struct AttemptList {
    private struct Entry {
        var start: Duration
        var end: Duration?
        var status: HTTPStatus?
        /// The name of the error that it ended with.
        var failure: String?
    }

    // Most calls have one, which then costs no array.
    private var first: Entry?
    private var more: [Entry] = []

    var count: Int { (first == nil ? 0 : 1) + more.count }

    /// Notes an attempt; gives its place.
    mutating func begin(at time: Duration) -> Int {
        guard first != nil else {
            first = Entry(start: time)
            return 0
        }
        more.append(Entry(start: time))
        return more.count
    }

    /// Notes how one ended. An answer whose body breaks off ends twice; what came last stands, with the status of the answer.
    mutating func end(_ place: Int, at time: Duration, status: HTTPStatus?, failure: String?) {
        guard var entry = place == 0 ? first : more.indices.contains(place - 1) ? more[place - 1] : nil else { return }
        entry.end = time
        entry.status = status ?? entry.status
        entry.failure = failure
        if place == 0 { first = entry } else { more[place - 1] = entry }
    }

    /// Adds those of another list.
    mutating func append(_ other: AttemptList) {
        let entries = [other.first].compactMap { $0 } + other.more
        if first == nil {
            first = entries.first
            more = Array(entries.dropFirst())
        } else {
            more += entries
        }
    }

    /// What is told of them.
    ///
    /// - Parameters:
    ///   - number: how many to leave out, from the first on.
    ///   - start: what their times count from.
    ///   - now: the time, for what hasn't ended.
    ///   - ending: how what hasn't ended is called.
    func attempts(dropping number: Int = 0, since start: Duration, now: Duration, ending: String) -> [RequestAttempt] {
        ([first].compactMap { $0 } + more).dropFirst(number).map { entry in
            RequestAttempt(
                startedAfter: entry.start - start, duration: (entry.end ?? now) - entry.start, status: entry.status,
                outcome: entry.failure ?? entry.status.map { "\($0)" } ?? ending)
        }
    }
}
