import PlatformBase

/// Whether a sanitizer watches this run, as `.ci/run` says: it takes memory and time of its own, so that figures of them mean nothing.
enum Sanitizer {
    static let isOn = getenv("NETWORKKIT_SANITIZER") != nil
}
