public import PlatformBase

/// The values that a program is configured with: from its options, else the environment, else a file named `.env` in the working
/// directory.
public struct Settings: Sendable {
    /// Where a value came from.
    public enum Source: String, Sendable {
        /// The command line.
        case option = "option"
        /// The environment.
        case environment = "environment"
        /// The file.
        case file = ".env"
        /// Nobody set it.
        case standard = "default"
    }

    /// A value and where it came from.
    public struct Setting: Sendable, Equatable {
        /// The value, never empty.
        public let value: String
        /// Where it came from.
        public let source: Source

        /// A setting.
        public init(value: String, source: Source) {
            self.value = value
            self.source = source
        }
    }

    private let environment: [String: String]
    private let file: [String: String]

    /// Settings from an environment and the text of a file.
    public init(environment: [String: String], file: String? = nil) {
        self.environment = environment
        self.file = file.map(EnvironmentFile.values) ?? [:]
    }

    /// Settings from an environment and the `.env` of a directory, where there is one.
    public init(environment: [String: String], directory: String) {
        let file = try? Data(contentsOf: URL(filePath: directory + "/.env"))
        self.init(environment: environment, file: file.map { String(decoding: $0, as: UTF8.self) })
    }

    /// The value of a name.
    ///
    /// - Parameters:
    ///   - name: a variable's name.
    ///   - option: the value on the command line, which comes first.
    /// - Returns: `nil` when nobody sets it, or sets it to nothing.
    public func setting(_ name: String, option: String? = nil) -> Setting? {
        for (value, source) in [(option, Source.option), (environment[name], .environment), (file[name], .file)] {
            if let value, !value.isEmpty { return Setting(value: value, source: source) }
        }
        return nil
    }

    /// The value of a name as the base URL of an API.
    ///
    /// - Throws: ``Failure`` with ``ExitCode/usage`` when it is no address of a web server.
    public func baseURL(_ name: String, option: String? = nil, standard: String) throws(Failure) -> (url: URL, source: Source) {
        let setting = setting(name, option: option) ?? Setting(value: standard, source: .standard)
        guard let url = URL(string: setting.value), let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme),
            let host = url.host(), !host.isEmpty
        else {
            // It may hold a password or a key, so it isn't repeated.
            throw .usage("The base URL (\(name), from the \(setting.source.rawValue)) is no address such as \(standard).")
        }
        return (url, setting.source)
    }
}
