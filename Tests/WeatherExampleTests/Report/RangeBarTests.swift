import ExampleSupport
import Testing

@testable import WeatherExample

@Suite struct RangeBarTests {
    @Test func `a bar spans its part of the scale, whichever end comes first`() {
        #expect(RangeBar.text(0, 0.5, width: 4) == "━━··")
        #expect(RangeBar.text(0.5, 0, width: 4) == "━━··")
        #expect(RangeBar.text(1, 1, width: 4) == "···━")
        #expect(RangeBar.text(0, 1, width: 0) == "")
    }

    @Test(arguments: [-1, 0, 0.01, 0.5, 0.999, 1, 2, .nan, .infinity, -.infinity] as [Double])
    func `every number keeps to the width`(fraction: Double) {
        #expect(TextWidth.cells(RangeBar.text(fraction, 0.3, width: 7)) == 7)
        #expect(TextWidth.cells(ColumnCell.text(fraction)) == 1)
    }
}
