internal import NetworkKit
internal import PlatformBase

/// The parts of a multipart body (RFC 7578), found by bytes: a part may be anything.
enum TapeParts {
    /// One part, without the line end that belongs to what separates it from the next.
    struct Part {
        var content: ArraySlice<UInt8>
        var name: String?
        var type: String?
    }

    /// The body with the content of each part as `mask` gives it back; `nil` stands for as it is.
    static func mapping(_ bytes: [UInt8], boundary: String, _ mask: (Part) -> [UInt8]?) -> [UInt8] {
        let delimiter = Array("--\(boundary)".utf8)
        var result: [UInt8] = []
        var copied = 0
        guard var start = next(delimiter, in: bytes, from: 0)?.upperBound else { return bytes }
        while start < bytes.count {
            let next = next(delimiter, in: bytes, from: start)
            if let part = part(bytes[start..<(next?.lowerBound ?? bytes.count)]), let masked = mask(part) {
                result += bytes[copied..<part.content.startIndex] + masked
                copied = part.content.endIndex
            }
            guard let next else { break }
            start = next.upperBound
        }
        return result + bytes[copied...]
    }

    /// It stands at the beginning of a line (RFC 2046 §5.1.1). Within one it is text.
    private static func next(_ delimiter: [UInt8], in bytes: [UInt8], from start: Int) -> Range<Int>? {
        var start = start
        while let found = bytes[start...].firstRange(of: delimiter) {
            if found.lowerBound == 0 || bytes[found.lowerBound - 1] == UInt8(ascii: "\n") { return found }
            start = found.upperBound
        }
        return nil
    }

    private static func part(_ bytes: ArraySlice<UInt8>) -> Part? {
        let ends = ["\r\n\r\n", "\n\n"].map { Array($0.utf8) }
        guard let head = ends.lazy.compactMap({ bytes.firstRange(of: $0) }).min(by: { $0.lowerBound < $1.lowerBound }) else { return nil }
        var content = bytes[head.upperBound...]
        if content.last == UInt8(ascii: "\n") { content = content.dropLast() }
        if content.last == UInt8(ascii: "\r") { content = content.dropLast() }
        var part = Part(content: content)
        for line in bytes[..<head.lowerBound].split(whereSeparator: { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }) {
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { continue }
            let value = TapeMask.reading(line[(colon + 1)...])
            switch TapeMask.reading(line[..<colon]).lowercased() {
            // It is written as a media type's parameters are, behind a single word.
            case "content-disposition": part.name = MediaType("multipart/\(value.drop { $0 == " " })")?.parameters["name"]
            case "content-type": part.type = value
            default: break
            }
        }
        return part
    }
}
