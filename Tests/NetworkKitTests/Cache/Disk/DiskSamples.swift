import NetworkKitTesting
import PlatformBase
import Testing

@testable import NetworkKit

/// Faults that a store told of.
final class FaultList: Sendable {
    private let list = Lock<[RequestError]>([])
    var all: [RequestError] { list.withLock { $0 } }
    func add(_ error: RequestError) { list.withLock { $0.append(error) } }
}

/// A store in a directory, as a process has it. A new one on the same directory is the next process.
struct DiskBench {
    let directory: TemporaryDirectory
    let faults = FaultList()
    let store: DiskStore

    init(_ directory: TemporaryDirectory = TemporaryDirectory(), capacity: Int = 10 << 20) {
        self.directory = directory
        store = DiskStore(directory: directory.url, capacity: capacity) { [faults] in faults.add($0) }
    }

    static func response(
        _ headers: HTTPFields = ["Cache-Control": "max-age=60"], identity: String? = nil, selectors: [CacheVariant.Selector] = []
    ) -> StoredResponse {
        let time = Date(timeIntervalSince1970: 1_767_225_600)
        return StoredResponse(
            variant: CacheVariant(identity: identity, selectors: selectors), status: 200, headers: headers, requestTime: time,
            responseTime: time.addingTimeInterval(0.25))
    }

    /// Stores a body, in pieces of some length.
    @discardableResult
    func add(_ url: String, _ body: Data, _ response: StoredResponse = DiskBench.response(), pieces: Int = 10_000) async -> Bool {
        guard let writer = await store.writer(for: CacheKey(url), response: response, length: nil) else { return false }
        for start in stride(from: 0, to: body.count, by: pieces) {
            guard await writer.append(body[start..<min(start + pieces, body.count)]) else { return false }
        }
        await writer.commit()
        return true
    }

    func add(_ url: String, _ text: String, _ response: StoredResponse = DiskBench.response()) async {
        await add(url, Data(text.utf8), response)
    }

    func entries(_ url: String) async -> [CacheEntry] { await store.entries(for: CacheKey(url)) }

    /// The body of the only entry of a URL; `nil` when there is none, or it can't be read.
    func body(_ url: String, in range: Range<Int64>? = nil) async throws(RequestError) -> Data? {
        guard let entry = await entries(url).first, let source = await store.body(of: entry, in: range) else { return nil }
        return try await source.collect(upTo: .max)
    }

    func text(_ url: String) async throws(RequestError) -> String? { try await body(url).map { String(decoding: $0, as: UTF8.self) } }
}

/// Bytes that differ from block to block.
func sampleBytes(_ count: Int, seed: UInt64 = 1) -> Data {
    var generator = SeededGenerator(seed: seed)
    var data = Data(capacity: count + 8)
    while data.count < count { withUnsafeBytes(of: generator.next()) { data.append(contentsOf: $0) } }
    return data.prefix(count)
}
