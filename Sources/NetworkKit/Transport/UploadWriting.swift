/// What takes the bytes of a body, as many as it has room for.
protocol UploadSink {
    /// Whether it takes bytes now.
    var hasRoom: Bool { get }
    /// Takes these bytes, or the first of them, and says how many; none, or fewer than none, where it takes nothing any more.
    func write(_ bytes: UnsafeRawBufferPointer) -> Int
}

/// A body on its way from its source to a sink, neither of which is waited for. The sink's end is no affair of this: for whoever reads
/// at its other side it would mean that the body is whole.
struct UploadWriting {
    /// Why nothing can be written any more, for now or for good.
    enum Step {
        /// The sink has no room.
        case full
        /// The source has nothing yet, and tells when it has.
        case nothingYet
        /// All of the body is in the sink.
        case whole
        /// The source failed in mid-body.
        case failed(RequestError)
        /// The sink takes nothing any more.
        case refused
    }

    private var buffer = [UInt8](repeating: 0, count: 64 * 1024)
    /// What of the buffer hasn't been written.
    private var rest = 0..<0

    /// Writes as much as there is and has room.
    mutating func run(from source: some UploadSource, to sink: some UploadSink) -> Step {
        while true {
            if rest.isEmpty {
                switch buffer.withUnsafeMutableBytes({ source.read(into: $0) }) {
                case .bytes(let count): rest = 0..<count
                case .nothingYet: return .nothingYet
                case .end: return .whole
                case .failure(let error): return .failed(error)
                }
            }
            guard sink.hasRoom else { return .full }
            let count = buffer.withUnsafeBytes { sink.write(UnsafeRawBufferPointer(rebasing: $0[rest])) }
            guard count > 0 else { return .refused }
            rest = rest.dropFirst(count)
        }
    }
}
