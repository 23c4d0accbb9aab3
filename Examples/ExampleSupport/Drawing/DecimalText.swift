/// Numbers as a person reads them.
public enum DecimalText {
    /// A number with a fixed count of decimals, rounded half away from zero; never `-0`.
    public static func fixed(_ number: Double, decimals: Int = 0) -> String {
        guard number.isFinite, abs(number) < 1e15 else { return "–" }
        let scale = (0..<max(0, decimals)).reduce(1.0) { result, _ in result * 10 }
        let rounded = (number * scale).rounded()
        let digits = String(Int64(rounded.magnitude))
        let sign = rounded < 0 ? "-" : ""
        guard decimals > 0 else { return sign + digits }
        let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
        return sign + padded.dropLast(decimals) + "." + padded.suffix(decimals)
    }

    /// A whole number with its thousands apart: `25,411`.
    public static func grouped(_ number: Int) -> String {
        let digits = Array(String(number.magnitude))
        var text = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index).isMultiple(of: 3) { text.append(",") }
            text.append(digit)
        }
        return (number < 0 ? "-" : "") + text
    }
}
