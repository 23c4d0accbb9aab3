/// HMAC with SHA-256 (RFC 2104): a hash that only who has the key can make, so that a short secret can't be guessed from it.
struct KeyedHash: Sendable {
    private let inner: SHA256
    private let outer: SHA256

    init(key: [UInt8]) {
        var block = key.count > SHA256.blockSize ? SHA256.hash(key) : key
        block += [UInt8](repeating: 0, count: SHA256.blockSize - block.count)
        // What the key makes of the beginning is the same for every message.
        var (inner, outer) = (SHA256(), SHA256())
        inner.update(block.map { $0 ^ 0x36 })
        outer.update(block.map { $0 ^ 0x5C })
        self.inner = inner
        self.outer = outer
    }

    /// The hash of a message.
    func hash(_ message: [UInt8]) -> [UInt8] {
        var (inner, outer) = (inner, outer)
        inner.update(message)
        outer.update(inner.finalize())
        return outer.finalize()
    }

    /// By a key that is made up when the process begins: what it gives means nothing to anybody else, or later.
    static let ofProcess: KeyedHash = {
        var random = SystemRandomNumberGenerator()
        return KeyedHash(key: (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &random) })
    }()
}
