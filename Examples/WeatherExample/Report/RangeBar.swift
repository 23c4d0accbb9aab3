/// A bar between two places on a scale.
enum RangeBar {
    /// A bar of exactly `width` cells, at least one of them filled. The wrong order of the ends doesn't matter.
    ///
    /// - Parameters:
    ///   - one: an end, 0 to 1; what lies outside is taken as the nearer end of the scale.
    ///   - other: the other end.
    static func text(_ one: Double, _ other: Double, width: Int) -> String {
        guard width > 0 else { return "" }
        let low = min(one.onScale, other.onScale)
        let high = max(one.onScale, other.onScale)
        let start = min(width - 1, Int((low * Double(width)).rounded(.down)))
        let end = max(start + 1, min(width, Int((high * Double(width)).rounded(.up))))
        return empty(start) + String(repeating: "━", count: end - start) + empty(width - end)
    }

    /// A scale without a bar.
    static func empty(_ width: Int) -> String { String(repeating: "·", count: width) }
}

/// One cell of a column, filled from below in eighths.
enum ColumnCell {
    /// A space for 0, the whole cell for 1.
    static func text(_ fraction: Double) -> String { parts[Int((fraction.onScale * 8).rounded())] }

    private static let parts = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]
}

extension Double {
    /// The number, or the end of the scale of 0 to 1 that is nearer to it.
    fileprivate var onScale: Double { isNaN ? 0 : min(1, max(0, self)) }
}
