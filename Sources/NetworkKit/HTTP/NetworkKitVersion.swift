/// The version of the library.
public enum NetworkKitVersion {
    /// As it is sent in `User-Agent`.
    public static let current = "0.1"
}
