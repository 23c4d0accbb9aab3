/// Finds the word that somebody who mistyped must have meant.
public enum NearMiss {
    /// The word with the fewest single changes from what was typed, or `nil` when none is near.
    ///
    /// A word that begins with what was typed counts as near however long it is. Case doesn't count.
    public static func nearest(to typed: String, among words: [String]) -> String? {
        let typed = typed.lowercased()
        guard !typed.isEmpty else { return nil }
        if typed.count > 1, let longer = words.first(where: { $0.lowercased().hasPrefix(typed) }) { return longer }
        let ranked = words.map { (word: $0, changes: changes(from: typed, to: $0.lowercased())) }
        guard let best = ranked.min(by: { $0.changes < $1.changes }) else { return nil }
        // Beyond a third of the letters the likeness is an accident.
        return best.changes <= max(1, max(typed.count, best.word.count) / 3) ? best.word : nil
    }

    /// How many letters must be put in, taken out, replaced or swapped with their neighbour (optimal string alignment).
    static func changes(from left: String, to right: String) -> Int {
        let left = Array(left)
        let right = Array(right)
        guard !left.isEmpty, !right.isEmpty else { return max(left.count, right.count) }
        var beforeLast = Array(repeating: 0, count: right.count + 1)
        var last = Array(0...right.count)
        for row in 1...left.count {
            var current = [row] + Array(repeating: 0, count: right.count)
            for column in 1...right.count {
                let replaced = last[column - 1] + (left[row - 1] == right[column - 1] ? 0 : 1)
                current[column] = min(last[column] + 1, current[column - 1] + 1, replaced)
                let isSwap = row > 1 && column > 1 && left[row - 1] == right[column - 2] && left[row - 2] == right[column - 1]
                if isSwap { current[column] = min(current[column], beforeLast[column - 2] + 1) }
            }
            (beforeLast, last) = (last, current)
        }
        return last[right.count]
    }
}
