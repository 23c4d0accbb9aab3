internal import PlatformBase

/// Decodes bytes as they come.
protocol StreamDecoder: AnyObject {
    /// Takes coded bytes. All earlier ones have been used up.
    func feed(_ bytes: Data)
    /// Gives decoded bytes, at most `count`; none when it needs more coded ones.
    func produce(upTo count: Int) throws(DecodingFault) -> Data
    /// Whether the coding has come to an end, or was never begun.
    var isComplete: Bool { get }
}

/// Why bytes can't be decoded.
struct DecodingFault: Error {
    var reason: String
}

/// Memory that a decoder writes to, and what it has written there, without being copied or filled with zeros first.
enum DecodedPiece {
    /// - Parameter write: writes to the memory, and gives how many bytes it has written.
    static func make(upTo count: Int, _ write: (UnsafeMutableRawBufferPointer) -> Int) throws(DecodingFault) -> Data {
        guard let memory = malloc(count) else { throw DecodingFault(reason: "there is no memory for \(count) bytes") }
        let written = write(UnsafeMutableRawBufferPointer(start: memory, count: count))
        guard written > 0 else {
            free(memory)
            return Data()
        }
        let fitted = written < count ? realloc(memory, written) ?? memory : memory
        return Data(bytesNoCopy: fitted, count: written, deallocator: .free)
    }
}
