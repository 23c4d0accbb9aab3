import PlatformBase
import Testing

@testable import NetworkKit

@Suite("Waiting awake")
struct PatienceTests {
    @Test("Nobody waits awake before a short pause has been seen")
    func atFirst() {
        #expect(!Patience().isWorthwhile)
    }

    @Test(
        "After a short pause the next one is waited out awake, after a long one asleep",
        .enabled(if: sysconf(Int32(_SC_NPROCESSORS_ONLN)) > 1))
    func adapts() {
        var patience = Patience()
        for (pause, isWorthwhile) in [
            (Duration.microseconds(20), true), (.microseconds(99), true), (.milliseconds(3), false), (.zero, true), (Patience.limit, false),
        ] {
            patience.note(pause)
            #expect(patience.isWorthwhile == isWorthwhile, "after \(pause)")
        }
    }
}
