internal import PlatformBase

/// A time zone's changes of clock, from the system's files (RFC 9636, TZif).
struct ZoneFile: Sendable {
    private let changes: [(time: Int64, seconds: Int)]

    /// The zone of a name, or `nil` when the system has no file for it. The name is a server's word, so that what could lead
    /// out of the directory is refused.
    init?(named name: String, directory: String = "/usr/share/zoneinfo") {
        let isPlain = name.utf8.allSatisfy {
            ("a"..."z").contains(Character(UnicodeScalar($0)).lowercased()) || "0123456789_+-/".utf8.contains($0)
        }
        guard isPlain, !name.isEmpty, !name.hasPrefix("/"), name.utf8.count < 64,
            let data = try? Data(contentsOf: URL(filePath: directory + "/" + name)), data.count < 1 << 20
        else { return nil }
        self.init(Array(data))
    }

    /// The zone that the bytes of a file describe: its second part, which has times of 64 bits.
    init?(_ bytes: [UInt8]) {
        guard let first = Header(bytes, at: 0), first.version >= 0x32 else { return nil }
        let start = Header.length + first.dataLength(timeLength: 4)
        guard let header = Header(bytes, at: start) else { return nil }
        let times = start + Header.length
        let kinds = times + header.timeCount * 8
        let types = kinds + header.timeCount
        guard bytes.count >= types + header.typeCount * 6, header.typeCount > 0 else { return nil }
        changes = (0..<header.timeCount).compactMap { index in
            let type = types + min(Int(bytes[kinds + index]), header.typeCount - 1) * 6
            let seconds = Int32(truncatingIfNeeded: Self.number(bytes, at: type, length: 4))
            return (Self.number(bytes, at: times + index * 8, length: 8), Int(seconds))
        }
    }

    /// The offset at a moment, or `nil` outside the changes on file: what holds after the last of them is a rule, which isn't read.
    func secondsFromUTC(at date: Date) -> Int? {
        let time = Int64(min(max(date.timeIntervalSince1970, -1e12), 1e12))
        guard let last = changes.last, time < last.time else { return nil }
        return changes.last { $0.time <= time }?.seconds
    }

    private struct Header {
        static let length = 44
        let version: UInt8
        let timeCount, typeCount: Int
        private let counts: [Int]

        init?(_ bytes: [UInt8], at start: Int) {
            guard bytes.count >= start + Self.length, bytes[start..<start + 4].elementsEqual("TZif".utf8) else { return nil }
            version = bytes[start + 4]
            let counts = (0..<6).map { Int(truncatingIfNeeded: ZoneFile.number(bytes, at: start + 20 + $0 * 4, length: 4)) }
            guard counts.allSatisfy({ (0..<100_000).contains($0) }) else { return nil }
            self.counts = counts
            timeCount = counts[3]
            typeCount = counts[4]
        }

        func dataLength(timeLength: Int) -> Int {
            timeCount * (timeLength + 1) + typeCount * 6 + counts[5] + counts[2] * (timeLength + 4) + counts[1] + counts[0]
        }
    }

    private static func number(_ bytes: [UInt8], at start: Int, length: Int) -> Int64 {
        Int64(bitPattern: bytes[start..<start + length].reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    }
}
