internal import PlatformBase

/// Masks secrets in one text after the other. What the search needs is made once, which for many secrets costs more than to search.
struct SecretMask: Sendable {
    private let search: SecretSearch?

    init(_ secrets: SecretValues) { search = secrets.search }

    func masking(_ text: String) -> String {
        search.map { String(decoding: $0.masking(Array(text.utf8), with: Self.bytes), as: UTF8.self) } ?? text
    }

    func masking(_ data: Data) -> Data {
        search.map { Data($0.masking(Array(data), with: Self.bytes)) } ?? data
    }

    /// The first bytes of a body, masked. Where more of it came, or was to come, a secret may have been cut in two: then what stands of
    /// it at the end is masked too.
    func masking(_ first: Data, isCut: Bool) -> Data {
        guard isCut, search != nil, !first.isEmpty else { return masking(first) }
        let ellipsis = Data("…".utf8)
        let masked = masking(first + ellipsis)
        return masked.suffix(ellipsis.count) == ellipsis ? masked.dropLast(ellipsis.count) : masked
    }

    private static let bytes = Array(SecretValues.mask.utf8)
}

extension SecretValues {
    /// The first bytes of a body, masked: see ``SecretMask/masking(_:isCut:)``.
    func masking(_ first: Data, isCut: Bool) -> Data { SecretMask(self).masking(first, isCut: isCut) }
}
