import Foundation

/// The ways in which bytes may come in chunks.
enum Cuts {
    /// The bytes in one piece, in two cut at every place, one by one, and in pieces of a few sizes.
    static func all(of bytes: Data) -> [[Data]] {
        var result = [[bytes]]
        for place in bytes.indices.dropFirst() { result.append([bytes[..<place], bytes[place...]]) }
        for size in [1, 2, 3, 5, 7] { result.append(pieces(of: bytes, size)) }
        return result
    }

    /// Pieces of a size.
    static func pieces(of bytes: Data, _ size: Int) -> [Data] {
        stride(from: 0, to: bytes.count, by: size).map { bytes[$0..<min($0 + size, bytes.count)] }
    }
}
