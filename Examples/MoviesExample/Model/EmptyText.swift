// TMDB writes "" where it knows nothing: a release date that isn't set, an overview that nobody has translated.
extension KeyedDecodingContainer {
    /// A text that says something, or `nil`.
    func words(_ key: Key) throws -> String? {
        guard let text = try decodeIfPresent(String.self, forKey: key), !text.isEmpty else { return nil }
        return text
    }
}

/// The year of a date such as `1994-09-23`.
func year(of date: String?) -> String? {
    guard let year = date?.prefix(4), year.count == 4, year.allSatisfy(\.isNumber) else { return nil }
    return String(year)
}
