/// Names as the rules of a cassette compare them: without regard to case, underscores and hyphens, since `access_token` is `accessToken`
/// to the next server.
struct RuleNames: Sendable {
    private let names: Set<[UInt8]>
    private let longest: Int

    init(_ names: Set<String>) {
        self.names = Set(names.map { Self.folded($0.utf8, upTo: .max) ?? [] })
        longest = self.names.map(\.count).max() ?? 0
    }

    var isEmpty: Bool { names.isEmpty }

    func contains(_ name: String) -> Bool { contains(name.utf8) }

    func contains(_ name: some Sequence<UInt8>) -> Bool {
        Self.folded(name, upTo: longest).map(names.contains) ?? false
    }

    /// The name without what doesn't count; `nil` for one that is longer than all others.
    private static func folded(_ name: some Sequence<UInt8>, upTo limit: Int) -> [UInt8]? {
        var folded: [UInt8] = []
        for byte in name where byte != UInt8(ascii: "_") && byte != UInt8(ascii: "-") {
            guard folded.count < limit else { return nil }
            folded.append(byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte)
        }
        return folded
    }
}
