internal import PlatformBase

/// Randomness that is the same on every run: numbers that follow from a seed.
///
/// ```swift
/// var random = SeededRandom(seed: 7)
/// let jitter = Double.random(in: 0...1, using: &random)
/// ```
///
/// Copies share one sequence, so that a policy that holds one doesn't draw the same number twice; tasks may draw from it at once. The
/// numbers of a seed stay the same in later versions of the library.
public final class SeededRandom: RandomNumberGenerator, Sendable {
    /// What the numbers follow from; a test that fails prints it.
    public let seed: UInt64
    private let state: Lock<UInt64>

    /// A source that begins anew.
    public init(seed: UInt64) {
        self.seed = seed
        state = Lock(seed)
    }

    /// The next number: SplitMix64 (Steele, Lea, Flood 2014), which takes any seed, zero included.
    public func next() -> UInt64 {
        var mixed = state.withLock { state in
            state &+= 0x9E37_79B9_7F4A_7C15
            return state
        }
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

extension SeededRandom: CustomStringConvertible {
    /// The seed.
    public var description: String { "SeededRandom(seed: \(seed))" }
}
