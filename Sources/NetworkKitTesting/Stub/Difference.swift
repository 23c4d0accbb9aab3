/// One thing in which a request differs from what was expected.
struct Difference: Sendable {
    let text: String
    /// How much it counts when the nearest route is looked for.
    let weight: Int

    init(_ text: String, weight: Int) {
        self.text = text
        self.weight = weight
    }
}
