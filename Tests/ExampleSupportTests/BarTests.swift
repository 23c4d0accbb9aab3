import ExampleSupport
import Testing

@Suite struct BarTests {
    @Test func `a bar is drawn in eighths`() {
        #expect(Bar.text(0.5, width: 4) == "██  ")
        #expect(Bar.text(0.87, width: 10) == "████████▊ ")
        #expect(Bar.text(1, width: 3) == "███")
    }

    @Test(arguments: [-1, 0, 0.01, 0.5, 0.999, 1, 2, .nan, .infinity, -.infinity] as [Double])
    func `every number keeps to the width`(fraction: Double) {
        #expect(TextWidth.cells(Bar.text(fraction, width: 7)) == 7)
    }
}
