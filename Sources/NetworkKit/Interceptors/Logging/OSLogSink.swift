#if canImport(os)
public import os

extension LogSink {
    /// The system's log: failures as errors, the rest as debug messages. The text is public there, since its secrets are masked.
    ///
    /// Unverified: it has been written from the documentation and never run.
    public static func system(_ logger: Logger) -> LogSink {
        LogSink { entry in
            if entry.isFailure {
                logger.error("\(entry.text, privacy: .public)")
            } else {
                logger.debug("\(entry.text, privacy: .public)")
            }
        }
    }
}
#endif
