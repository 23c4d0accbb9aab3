/// What a person is told who is to wait.
enum WaitAdvice {
    /// The advice for so long a time: in whole units, rounded up, and no longer than ten years, since no server means more.
    static func text(_ wait: Duration) -> String {
        let (whole, part) = min(max(wait, .zero), .seconds(315_360_000)).components
        let seconds = whole + (part > 0 ? 1 : 0)
        return switch seconds {
        case 0...1: "Try again now."
        case ..<120: "Try again in \(seconds) seconds."
        case ..<7200: "Try again in \((seconds + 59) / 60) minutes."
        case ..<172_800: "Try again in \((seconds + 3599) / 3600) hours."
        default: "Try again in \((seconds + 86_399) / 86_400) days."
        }
    }
}
