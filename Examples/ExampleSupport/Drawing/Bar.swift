/// A bar that grows from the left, in eighths of a cell.
public enum Bar {
    /// A bar of exactly `width` cells.
    ///
    /// - Parameter fraction: how much of the width is filled, 0 to 1; what lies outside is taken as the nearer end.
    public static func text(_ fraction: Double, width: Int) -> String {
        let clamped = fraction.isNaN ? 0 : min(1, max(0, fraction))
        let eighths = Int((clamped * Double(width) * 8).rounded())
        let part = eighths % 8 == 0 ? "" : parts[eighths % 8]
        return TextLayout.padded(String(repeating: "█", count: eighths / 8) + part, to: width)
    }

    private static let parts = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]
}
