import ExampleSupport
import NetworkKit
import Testing

@Suite struct TransferLineTests {
    @Test(arguments: [
        (0, "0 B"), (999, "999 B"), (1000, "1 kB"), (512_400, "512 kB"), (1_125_054, "1.1 MB"), (2_000_000_000, "2.00 GB"),
    ])
    func `bytes are written by powers of a thousand`(bytes: Int64, text: String) { #expect(TransferLine.size(bytes) == text) }

    @Test func `a line fits, with a bar where there is room, and none where the end isn't known`() {
        let half = TransferProgress(completed: 500_000, total: 1_000_000)
        #expect(TransferLine.text(half, width: 40).count == 39)
        #expect(TransferLine.text(half, width: 80).hasPrefix(String(repeating: "█", count: 20) + " "))
        #expect(TransferLine.text(half, width: 20) == "50 %   500 kB of 1.0 MB")
        #expect(TransferLine.text(TransferProgress(completed: 7, total: nil), width: 80) == "7 B so far")
        for done in 0...100 {
            #expect(TransferLine.text(TransferProgress(completed: Int64(done), total: 100), width: 50).count <= 49)
        }
    }
}
