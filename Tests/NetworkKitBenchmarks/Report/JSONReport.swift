import PlatformBase

/// The figures for a program to read: `{"scenarios":[{"name":…,"rate":…,"unit":…,"p50_us":…,"p99_us":…,"cpu_us":…,"peak_mb":…,"ratios":…}]}`.
struct JSONReport: Encodable {
    private let scenarios: [Row]

    init(_ measurements: [Measurement]) { scenarios = measurements.map(Row.init) }

    func text() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }

    private struct Row: Encodable {
        let name: String
        let rate: Double
        let unit: String
        let p50: Double
        let p99: Double
        let processor: Double
        let peak: Double
        let ratios: [String: Spread]

        init(_ measurement: Measurement) {
            name = measurement.scenario.name
            rate = measurement.rate.rounded(to: 1)
            unit = measurement.scenario.unit
            p50 = measurement.p50.rounded(to: 3)
            p99 = measurement.p99.rounded(to: 3)
            processor = measurement.processor.rounded(to: 3)
            peak = measurement.peakMegabytes.rounded(to: 1)
            ratios = measurement.baselines.reduce(into: [:]) { ratios, baseline in
                ratios[baseline.name] = measurement.ratio(to: baseline.rounds, measurement.scenario.rate)?.rounded(to: 3)
            }
        }

        enum CodingKeys: String, CodingKey {
            case name, rate, unit, ratios
            case p50 = "p50_us"
            case p99 = "p99_us"
            case processor = "cpu_us"
            case peak = "peak_mb"
        }
    }
}

extension Double {
    fileprivate func rounded(to digits: Int) -> Double {
        let scale = (0..<digits).reduce(1.0) { scale, _ in scale * 10 }
        return (self * scale).rounded() / scale
    }
}

extension Spread {
    fileprivate func rounded(to digits: Int) -> Spread? {
        Spread([min, median, max].map { $0.rounded(to: digits) })
    }
}
