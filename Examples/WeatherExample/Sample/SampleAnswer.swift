/// An answer in the shape of Clear Sky and Dark Sky, as the sample server writes it.
struct SampleAnswer: Encodable {
    var latitude, longitude: Double
    var timezone: String
    var offset: Double
    var currently: Point
    var hourly: Block
    var daily: Block
    var alerts: [Alert]?
    var flags: Flags

    struct Block: Encodable {
        var summary: String
        var icon: String
        var data: [Point]
    }

    struct Flags: Encodable {
        var sources = ["made up by WeatherExample"]
        var units: String
    }

    struct Alert: Encodable {
        var title: String
        var regions: [String]
        var severity: String
        var time, expires: Double
        var description: String
    }

    struct Point: Encodable {
        var time: Double
        var summary, icon: String
        var precipIntensity, precipProbability: Double
        var precipType: String?
        var temperature, apparentTemperature: Double?
        var humidity, pressure, windSpeed, windGust, windBearing, cloudCover, uvIndex, visibility: Double?
        var temperatureHigh, temperatureLow, temperatureMin, temperatureMax: Double?
        var sunriseTime, sunsetTime: Double?
    }
}
