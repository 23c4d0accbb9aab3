internal import PlatformBase

/// A pipe to oneself: writing to it ends another thread's `poll`.
struct WakePipe: Sendable {
    let readEnd: Int32
    private let writeEnd: Int32

    init() throws(LoopbackError) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw .system(call: "pipe", code: errno) }
        ends.forEach(SocketCalls.makeNonBlocking)
        readEnd = ends[0]
        writeEnd = ends[1]
    }

    func wake() {
        var byte: UInt8 = 1
        // A full pipe wakes as well as one more byte would.
        _ = write(writeEnd, &byte, 1)
    }

    func drain() {
        withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) { buffer in
            while read(readEnd, buffer.baseAddress, buffer.count) == buffer.count {}
        }
    }

    func closeBothEnds() {
        close(readEnd)
        close(writeEnd)
    }
}
