import PlatformBase

/// When a round ends, whichever comes first.
struct Bounds: Sendable {
    var requests: Int
    var seconds: Double
}

/// What one client did in one round.
struct Round: Sendable {
    var requests = 0
    /// Bytes of bodies, down and up.
    var bytes: UInt64 = 0
    var seconds = 0.0
    /// Nanoseconds of each request, in no order.
    var latencies: [UInt64] = []
    /// Seconds of processor time that the whole process used.
    var processor = 0.0
    /// The same of the programs that it ran; where there are any, they are what is measured.
    var childrensProcessor: Double?
    /// Where the round measures a difference: its microseconds, by the clock and of processor time.
    var extra: (elapsed: Double, processor: Double)?

    var requestsPerSecond: Double { seconds > 0 ? Double(requests) / seconds : 0 }
    var megabytesPerSecond: Double { seconds > 0 ? Double(bytes) / seconds / 1e6 : 0 }
    var processorMicroseconds: Double {
        extra?.processor ?? (requests > 0 ? (childrensProcessor ?? processor) / Double(requests) * 1e6 : 0)
    }

    /// The time in microseconds within which a part of the requests were over.
    func microseconds(_ part: Double) -> Double {
        if let extra { return extra.elapsed }
        let sorted = latencies.sorted()
        return sorted.isEmpty ? 0 : Double(sorted[min(sorted.count - 1, Int(Double(sorted.count) * part))]) / 1000
    }
}

/// The clocks.
enum Meter {
    static var now: UInt64 { read(CLOCK_MONOTONIC) }
    /// Seconds of processor time of the process, all threads, user and system: the sum that getrusage gives, in nanoseconds.
    static var processor: Double { Double(read(CLOCK_PROCESS_CPUTIME_ID)) / 1e9 }

    private static func read(_ clock: clockid_t) -> UInt64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    /// The most memory that the process has had so far, in kB.
    ///
    /// Not getrusage's: on Linux a program that was started by `posix_spawn` is told of its parent's memory there.
    static var peakKilobytes: Int {
        #if os(Linux)
        guard let text = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else { return 0 }
        let line = text.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return Int(line?.filter(\.isNumber) ?? "") ?? 0
        #else
        var usage = rusage()
        getrusage(RUSAGE_SELF, &usage)
        return usage.ru_maxrss / 1024
        #endif
    }

    /// Runs `body` and adds the processor time that the process used meanwhile.
    static func round(_ body: () async throws -> Round) async rethrows -> Round {
        let before = processor
        var round = try await body()
        round.processor = processor - before
        return round
    }
}

/// Median, least and greatest.
struct Spread: Sendable, Codable {
    var median: Double
    var min: Double
    var max: Double

    /// The spread of values; `nil` of none.
    init?(_ values: [Double]) {
        let sorted = values.sorted()
        guard let first = sorted.first, let last = sorted.last else { return nil }
        let middle = sorted.count / 2
        median = sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
        (min, max) = (first, last)
    }
}
