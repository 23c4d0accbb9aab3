import PlatformBase

/// What is said beside the figures: on standard error, so that standard output has them alone.
enum Output {
    static func note(_ text: String) { write("\(text)\n") }

    /// Where the run is, on a terminal only.
    static func progress(_ text: String) {
        if isatty(2) == 1 { write("\r\u{1B}[K\(text)") }
    }

    private static func write(_ text: String) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { systemWrite($0) }
            guard count > 0 else { return }
            bytes = bytes.dropFirst(count)
        }
    }
}

private func systemWrite(_ bytes: UnsafeRawBufferPointer) -> Int { write(2, bytes.baseAddress, bytes.count) }
