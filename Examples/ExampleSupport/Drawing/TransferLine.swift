public import NetworkKit

/// How far a transfer has come, in one line: `████▌      45 %  0.5 MB of 1.1 MB`.
public enum TransferLine {
    /// The line.
    ///
    /// - Parameter width: how many cells there are; the bar takes what is left of them, 40 at most.
    public static func text(_ progress: TransferProgress, width: Int) -> String {
        guard let total = progress.total, let fraction = progress.fraction else { return "\(size(progress.completed)) so far" }
        let percent = TextLayout.padded("\(Int(fraction * 100)) %", to: 5)
        let words = "\(percent)  \(size(progress.completed)) of \(size(total))"
        let room = min(width - TextWidth.cells(words) - 2, 40)
        return room >= 5 ? "\(Bar.text(fraction, width: room)) \(words)" : words
    }

    /// A number of bytes as a person reads it, by powers of a thousand.
    public static func size(_ bytes: Int64) -> String {
        switch bytes {
        case ..<1000: "\(bytes) B"
        case ..<1_000_000: "\(DecimalText.fixed(Double(bytes) / 1e3)) kB"
        case ..<1_000_000_000: "\(DecimalText.fixed(Double(bytes) / 1e6, decimals: 1)) MB"
        default: "\(DecimalText.fixed(Double(bytes) / 1e9, decimals: 2)) GB"
        }
    }
}
