extension stat {
    /// When the file was last changed, in nanoseconds since 1970.
    package var modified: Int64 {
        #if canImport(Darwin)
        let time = st_mtimespec
        #else
        let time = st_mtim
        #endif
        // Of a file system that has no idea of the time, anything may come.
        let (seconds, isTooLarge) = Int64(time.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
        return isTooLarge ? 0 : seconds &+ Int64(time.tv_nsec)
    }

    /// Whether it is a regular file.
    package var isFile: Bool { st_mode & S_IFMT == S_IFREG }
}
