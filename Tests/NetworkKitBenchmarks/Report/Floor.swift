/// What NetworkKit has set itself: a figure that a scenario is to reach.
struct Floor: Sendable {
    /// What was measured and what was to be reached, in words.
    let text: String
    let isReached: Bool

    /// The floors of one scenario, as far as the run has what they need.
    static func all(_ measurement: Measurement, in run: [Measurement]) -> [Floor] {
        switch measurement.scenario.name {
        case "sequential-1k": rate(measurement, atLeast: 0.60)
        case "sequential-1k-on-loop": rate(measurement, atLeast: 0.80)
        case "concurrent-64-1k": rate(measurement, atLeast: 0.90) + processor(measurement, atMost: 1.6)
        case "concurrent-1000-1k": manyAtOnce(measurement, in: run)
        case "stream-64m", "upload-64m": rate(measurement, atLeast: 0.80)
        case "upload-1g": rate(measurement, atLeast: 0.90) + [ceiling(measurement)]
        case "buffer-64m": rate(measurement, atLeast: 0.80) + memory(measurement)
        case "download-1g": rate(measurement, atLeast: 0.90) + rate(measurement, atLeast: 0.90, to: "by-hand")
        case "h2-concurrent-64-1k": rate(measurement, atLeast: 0.85)
        case "cache-memory-hit": rate(measurement, atLeast: 20, to: "no-cache")
        case "cache-disk-hit": rate(measurement, atLeast: 3, to: "no-cache")
        case "cache-miss": cost(measurement, atMost: 10)
        case "split-lines": absolute(measurement, atLeast: 1000)
        case "lines": absolute(measurement, atLeast: 1_000_000)
        case "parse-events", "parse-small-events": absolute(measurement, atLeast: 300)
        case "startup-one-get": rate(measurement, atLeast: 0.50, to: "curl")
        case "stack-6": [Floor("\(measurement.p50.text(2)) µs for six interceptors, at most 2", measurement.p50 <= 2)]
        case "observed": [Floor("\(measurement.processor.text(1)) µs of CPU for all three, at most 5", measurement.processor <= 5)]
        case "resilience": [Floor("\(measurement.processor.text(1)) µs of CPU for all five, at most 5", measurement.processor <= 5)]
        default: []
        }
    }

    private init(_ text: String, _ isReached: Bool) {
        self.text = text
        self.isReached = isReached
    }

    private static func rate(_ measurement: Measurement, atLeast floor: Double, to baseline: String = "c-libcurl") -> [Floor] {
        guard let rounds = measurement.baseline(baseline), let ratio = measurement.ratio(to: rounds, measurement.scenario.rate) else {
            return []
        }
        return [Floor("rate \(ratio.median.text(2)) × \(baseline), at least \(floor.text(2))", ratio.median >= floor)]
    }

    /// What doesn't depend on a network is held to a figure of its own, and to none of another client's.
    private static func absolute(_ measurement: Measurement, atLeast floor: Double) -> [Floor] {
        let unit = measurement.scenario.unit
        return [Floor("\(measurement.rate.text(0)) \(unit), at least \(floor.text(0))", measurement.rate >= floor)]
    }

    /// By how much longer a request takes than a baseline's.
    private static func cost(_ measurement: Measurement, atMost percent: Double) -> [Floor] {
        guard let rounds = measurement.baseline("no-cache"), let ratio = measurement.ratio(to: rounds, measurement.scenario.rate) else {
            return []
        }
        let cost = (1 / ratio.median - 1) * 100
        return [Floor("\(cost.text(1)) % more time than no-cache, at most \(percent.text(0))", cost <= percent)]
    }

    private static func processor(_ measurement: Measurement, atMost ceiling: Double) -> [Floor] {
        guard let rounds = measurement.baseline("c-libcurl"), let ratio = measurement.ratio(to: rounds, \.processorMicroseconds) else {
            return []
        }
        return [Floor("CPU \(ratio.median.text(2)) × c-libcurl, at most \(ceiling.text(2))", ratio.median <= ceiling)]
    }

    private static func manyAtOnce(_ measurement: Measurement, in run: [Measurement]) -> [Floor] {
        let tail = measurement.p99 / measurement.p50
        var floors = [Floor("p99 \(tail.text(2)) × the median, under 4", tail < 4)]
        if let few = run.first(where: { $0.scenario.name == "concurrent-64-1k" }) {
            let ratio = measurement.rate / few.rate
            floors.insert(Floor("rate \(ratio.text(2)) × concurrent-64-1k, at least 0.80", ratio >= 0.80), at: 0)
        }
        return floors
    }

    /// What a stream may take in all, the program itself included.
    private static func ceiling(_ measurement: Measurement) -> Floor {
        let peak = measurement.peakMegabytes * 1e6 / 1_048_576
        return Floor("peak memory \(peak.text(1)) MiB in all, at most 32", peak <= 32)
    }

    private static func memory(_ measurement: Measurement) -> [Floor] {
        let over = measurement.peakMegabytes * 1e6 / 1_048_576 - Double(Scenario.bigSize >> 20)
        return [Floor("peak memory body + \(over.text(1)) MiB, at most 16", over <= 16)]
    }
}
