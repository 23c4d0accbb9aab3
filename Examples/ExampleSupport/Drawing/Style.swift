/// How a piece of text looks in a terminal that has colours.
public enum Style: String, Sendable {
    /// Headings.
    case bold = "1"
    /// What matters less.
    case dim = "2"
    /// Warnings.
    case red = "31"
    /// High values.
    case yellow = "33"
    /// Rain.
    case blue = "34"
    /// Names.
    case cyan = "36"
}

/// Applies styles, or leaves the text as it is where there are no colours.
public struct Painter: Sendable {
    /// Whether styles show.
    public let isColored: Bool

    /// A painter.
    public init(isColored: Bool) { self.isColored = isColored }

    /// The text in a style. It takes as many cells as before.
    public func callAsFunction(_ text: String, _ style: Style) -> String {
        isColored && !text.isEmpty ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
    }
}
