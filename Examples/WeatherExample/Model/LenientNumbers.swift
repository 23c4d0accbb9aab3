internal import PlatformBase

// Providers of this shape leave out what they don't know, send null, or send -999, and one sends floats where the other sent
// integers. All four are read here, once. A value of another type than a number is still an error.
extension KeyedDecodingContainer {
    /// A number, or `nil` where there is none.
    func measurement(_ key: Key) throws -> Double? {
        guard let number = try decodeIfPresent(Double.self, forKey: key), number != -999 else { return nil }
        return number
    }

    /// A number within bounds; one outside is as good as missing.
    func measurement(_ key: Key, in bounds: ClosedRange<Double>) throws -> Double? {
        try measurement(key).flatMap { bounds.contains($0) ? $0 : nil }
    }

    /// A point in time, or `nil` where there is none, or one of a year that has no four digits.
    func instant(_ key: Key) throws -> Date? {
        guard let date = try decodeIfPresent(Date.self, forKey: key), date.timeIntervalSince1970 != -999 else { return nil }
        return Self.years1To9999.contains(date.timeIntervalSince1970) ? date : nil
    }

    /// A point in time that must be there. One outside of all calendars is an error: no format can write it.
    func time(_ key: Key) throws -> Date {
        let date = try decode(Date.self, forKey: key)
        guard Self.years1To9999.contains(date.timeIntervalSince1970) else {
            throw DecodingError.dataCorruptedError(forKey: key, in: self, debugDescription: "It is no time that a calendar has.")
        }
        return date
    }

    /// In seconds since 1970.
    private static var years1To9999: ClosedRange<Double> { -62_135_596_800...253_402_300_799 }

    /// A text that says something.
    func words(_ key: Key) throws -> String? {
        guard let text = try decodeIfPresent(String.self, forKey: key), !text.isEmpty else { return nil }
        return text
    }
}
