internal import PlatformBase

/// A pipe that no other child inherits.
package struct ClosedPipe: Sendable {
    package let reading: Int32
    package let writing: Int32

    package init() throws(ChildProcess.Fault) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw ChildProcess.Fault(code: errno) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        (reading, writing) = (ends[0], ends[1])
    }

    /// A pipe that holds a text, and then ends.
    package init(holding text: String) throws(ChildProcess.Fault) {
        try self.init()
        let bytes = Array(text.utf8)
        let count = write(writing, bytes, bytes.count)
        close(writing)
        guard count == bytes.count else { throw ChildProcess.Fault(code: errno) }
    }

    /// All that is written until the other side is closed. It closes this side.
    package func readToEnd() -> String {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        var collected: [UInt8] = []
        while true {
            let count = read(reading, &bytes, bytes.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            collected += bytes.prefix(count)
        }
        close(reading)
        return String(decoding: collected, as: UTF8.self)
    }

    /// The next line, of at most 4 KiB, without its end; empty when there is none.
    package func line() -> String {
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while bytes.count < 4096 {
            let count = read(reading, &byte, 1)
            if count < 0, errno == EINTR { continue }
            guard count == 1, byte != UInt8(ascii: "\n") else { break }
            bytes.append(byte)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
