import PlatformBase

/// Values in the order in which they came, from any thread.
final class Recorder<Value: Sendable>: Sendable {
    private let storage = Lock<[Value]>([])

    var values: [Value] { storage.withLock { $0 } }

    func add(_ value: Value) { storage.withLock { $0.append(value) } }
}
