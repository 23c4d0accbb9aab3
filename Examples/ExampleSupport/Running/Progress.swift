extension Console {
    /// Does some work, and shows what it is when it takes long enough for a person to wonder.
    public func withProgress<Value: Sendable>(_ text: String, _ work: () async -> Value) async -> Value {
        // A line that flashes up for an instant is only a flicker.
        let line = Task { [self] in
            try await Task.sleep(for: .milliseconds(300))
            progress(text)
        }
        let value = await work()
        line.cancel()
        _ = await line.result
        endProgress()
        return value
    }
}
