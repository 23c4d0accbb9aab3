internal import NetworkKit

/// The pattern of a path: segments that are equal once decoded, `:name` for any one segment, `*` at the end for all the rest.
struct RoutePattern: Sendable {
    let text: String
    private let segments: [Substring]

    init(_ text: String) {
        self.text = text
        segments = Self.segments(text)
    }

    /// The parameters when the path fits.
    func match(_ path: String) -> [String: String]? {
        if text == path { return [:] }
        let parts = Self.segments(path)
        var parameters: [String: String] = [:]
        for (index, segment) in segments.enumerated() {
            if segment == "*", index == segments.count - 1 {
                parameters["*"] = parts.dropFirst(index).map { PercentEncoding.decode($0) }.joined(separator: "/")
                return parameters
            }
            guard index < parts.count else { return nil }
            if segment.hasPrefix(":") {
                if parts[index].isEmpty { return nil }
                parameters[String(segment.dropFirst())] = PercentEncoding.decode(parts[index])
            } else if segment != parts[index], PercentEncoding.decode(parts[index]) != segment {
                return nil
            }
        }
        return segments.count == parts.count ? parameters : nil
    }

    private static func segments(_ path: String) -> [Substring] {
        (path.hasPrefix("/") ? path.dropFirst() : path[...]).split(separator: "/", omittingEmptySubsequences: false)
    }
}
