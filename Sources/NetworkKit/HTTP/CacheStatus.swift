/// What the cache nearest by says of an answer: the last member of `Cache-Status` (RFC 9211 §2).
struct CacheStatus: Sendable, Equatable {
    /// What it did: `hit`, `fwd=uri-miss`.
    var handling: String?
    /// For how many seconds it may still use the answer unasked; negative for a stale one (§2.4).
    var timeToLive: Int?

    /// `nil` where no cache says anything.
    init?(nearestIn fields: HTTPFields) {
        guard let line = fields[values: "Cache-Status"].last else { return nil }
        for parameter in Self.parametersOfLastMember(line) {
            if handling == nil, parameter == "hit" || parameter.hasPrefix("fwd=") { handling = parameter }
            // Of two with one name the last counts (RFC 9651 §3.1.2).
            if parameter.hasPrefix("ttl=") { timeToLive = Int(parameter.dropFirst(4)) }
        }
    }

    /// What stands between the semicolons behind the cache's name; in a quoted text, commas and semicolons separate nothing.
    private static func parametersOfLastMember(_ line: String) -> [String] {
        var parts: [String] = []
        var part: [UInt8] = []
        var scan = QuotedScan()
        for byte in line.utf8 {
            let isOutside = scan.isOutside(byte)
            switch byte {
            case UInt8(ascii: ",") where isOutside:
                parts = []
                part = []
            case UInt8(ascii: ";") where isOutside:
                parts.append(String(decoding: part, as: UTF8.self).trimmingSpaces())
                part = []
            default: part.append(byte)
            }
        }
        parts.append(String(decoding: part, as: UTF8.self).trimmingSpaces())
        return Array(parts.dropFirst())
    }
}

extension ResponseHead {
    /// For how long the cache nearest by may still use the answer without asking the server: `ttl` of `Cache-Status` (RFC 9211 §2.4), in
    /// whole seconds. Negative for an answer that is stale; `nil` where no cache says it, as for an answer that has just come.
    ///
    /// ```swift
    /// if response.metrics.cache == .hit, let left = response.head.cacheTimeToLive { show("as of just now, good for \(left)") }
    /// ```
    public var cacheTimeToLive: Duration? { CacheStatus(nearestIn: headers)?.timeToLive.map { .seconds($0) } }
}
