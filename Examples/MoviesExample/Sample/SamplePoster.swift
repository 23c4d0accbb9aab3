internal import NetworkKit
internal import NetworkKitTesting
internal import PlatformBase

/// The poster of every movie of the sample: a night sky above a hill, as a bitmap, since that is written in a few lines.
enum SamplePoster {
    /// The image in one of the sizes that the sample says there are.
    static func answer(size: String) -> LoopbackResponse {
        let width = size.first == "w" ? Int(size.dropFirst()) ?? 0 : 1000
        guard (1...1000).contains(width) else { return .status(404) }
        return .data(bitmap(width: width, height: width * 3 / 2), contentType: "image/bmp", headers: ["ETag": "\"sample-\(width)\""])
    }

    /// A Windows bitmap of 24 bits a pixel, its rows from below, each filled up to four bytes.
    private static func bitmap(width: Int, height: Int) -> Data {
        let row = (width * 3 + 3) / 4 * 4
        var bytes: [UInt8] = Array("BM".utf8)
        func add(_ number: Int, _ count: Int) { bytes += (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) } }
        for (number, count) in [(54 + row * height, 4), (0, 4), (54, 4), (40, 4), (width, 4), (height, 4), (1, 2), (24, 2)] {
            add(number, count)
        }
        for number in [0, row * height, 2835, 2835, 0, 0] { add(number, 4) }
        bytes.reserveCapacity(54 + row * height)
        for y in 0..<height {
            for x in 0..<width {
                let hill = height / 4 - (x - width / 2) * (x - width / 2) * height / (width * width)
                let isStar = (x &* 73_856_093 ^ y &* 19_349_663) % 997 == 0
                // Blue, green, red.
                bytes +=
                    y < hill ? [24, 40, 16] : isStar ? [220, 240, 255] : [UInt8(160 - y * 120 / height), UInt8(60 - y * 40 / height), 24]
            }
            bytes += [UInt8](repeating: 0, count: row - width * 3)
        }
        return Data(bytes)
    }
}
