/// Horizontal bars, drawn in eighths of a cell.
public enum Bar {
    /// A bar from the left edge.
    ///
    /// - Parameter fraction: how much of the width is filled, 0 to 1; what lies outside is taken as the nearer end.
    /// - Returns: exactly `width` cells.
    public static func filled(_ fraction: Double, width: Int) -> String {
        let eighths = Int((clamped(fraction) * Double(width) * 8).rounded())
        let full = String(repeating: "█", count: eighths / 8)
        let part = eighths % 8 == 0 ? "" : String(left[eighths % 8])
        return full + part + TextLayout.spaces(width - eighths / 8 - (eighths % 8 == 0 ? 0 : 1))
    }

    /// A bar between two places on a scale of 0 to 1, at least one cell long. The wrong order of the ends doesn't matter.
    ///
    /// - Returns: exactly `width` cells.
    public static func span(_ one: Double, _ other: Double, width: Int) -> String {
        guard width > 0 else { return "" }
        let low = min(clamped(one), clamped(other))
        let high = max(clamped(one), clamped(other))
        let start = min(width - 1, Int((low * Double(width)).rounded(.down)))
        let end = max(start + 1, min(width, Int((high * Double(width)).rounded(.up))))
        return String(repeating: "·", count: start) + String(repeating: "━", count: end - start)
            + String(repeating: "·", count: width - end)
    }

    /// One cell filled from below, for a column of a chart: a space for 0, the whole cell for 1.
    public static func column(_ fraction: Double) -> Character { below[Int((clamped(fraction) * 8).rounded())] }

    private static let left: [Character] = [" ", "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"]
    private static let below: [Character] = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]

    private static func clamped(_ fraction: Double) -> Double { fraction.isNaN ? 0 : min(1, max(0, fraction)) }
}
