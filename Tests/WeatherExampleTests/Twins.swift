/// Made-up answers in the shapes that the real services have been seen to give.
enum Twins {
    /// Clear Sky: fractional times, hours a minute apart, minimum above maximum, the icon that is a template gone wrong, no alerts.
    static let clearSky = """
        {"latitude": 10.5, "longitude": 20.25, "timezone": "Etc/GMT-1", "offset": 1,
         "currently": {"time": 1700000000.25, "summary": "Grey and damp", "icon": "or partly-cloudy-night", "precipIntensity": 3.5,
          "precipProbability": 0.5, "precipType": "sleet", "temperature": 67.2, "apparentTemperature": 60.1, "dewPoint": 50,
          "humidity": 0.13, "pressure": 1047.8, "windSpeed": 27.5, "windGust": 65.9, "windBearing": 199.8, "cloudCover": 0.9,
          "uvIndex": 10, "visibility": 5.9, "ozone": 301.5},
         "hourly": {"summary": "Short showers", "icon": "hail", "data": [
          {"time": 1700000000.25, "summary": "Gusty", "icon": "tornado", "precipProbability": 0.6, "precipType": "snow", "temperature": 84.4},
          {"time": 1700000060.25, "summary": "Calm", "icon": "thunderstorm", "precipProbability": 0, "precipType": "rain", "temperature": 40}]},
         "daily": {"summary": "Thunder possible", "icon": "snow", "data": [
          {"time": 1700000000.25, "summary": "Bright", "icon": "hail", "sunriseTime": 1700000000.25, "sunsetTime": 1700000000.25,
           "precipProbability": 0.38, "temperatureHigh": 78.6, "temperatureLow": 47.6, "temperatureMin": 74.1, "temperatureMax": 64.4}]},
         "flags": {"sources": ["made up"], "nearestStation": 6.7, "units": "us", "meteoalarmLicense": "none"}}
        """

    /// Dark Sky east of India: no minutely block, half an hour's offset, integers where others have fractions, an alert of old.
    static let halfHour = """
        {"latitude": 19, "longitude": 72.5, "timezone": "Nowhere/Half", "offset": 5.5,
         "currently": {"time": 1585065089, "summary": "Humid", "icon": "partly-cloudy-night", "precipIntensity": 0, "precipProbability": 0,
          "temperature": 84, "windSpeed": 3, "uvIndex": 0},
         "hourly": {"data": [{"time": 1585063800, "temperature": 85}, {"time": 1585067400, "temperature": 84.5}]},
         "daily": {"data": [{"time": 1584988200, "temperatureMin": 77.85, "temperatureMax": 92}]},
         "alerts": [{"title": "Heat", "time": 1585065000, "description": "Stay in the shade.", "uri": "https://alerts.example/heat"}],
         "flags": {"sources": [], "nearest-station": 1.1, "units": "us"}}
        """

    /// Polar night, without flags: no sunrise, no sunset, no wind bearing in a calm.
    static let polarNight = """
        {"latitude": 78.2, "longitude": 15.6, "timezone": "Nowhere/Polar", "offset": 1,
         "currently": {"time": 1609459200, "icon": "clear-night", "temperature": -21.4, "windSpeed": 0},
         "daily": {"data": [{"time": 1609455600, "icon": "snow", "temperatureMin": -25.1, "temperatureMax": -19.9,
          "precipProbability": 0.3, "precipType": "snow"}]}}
        """

    /// Pirate Weather: -999 for what is missing, floats for integers, "none", severity in other words, absurd UV.
    static let missingValues = """
        {"latitude": 45.5, "longitude": -74.5, "timezone": "Nowhere/Five", "offset": -5.0, "elevation": 77,
         "currently": {"time": 1762718100, "summary": "", "icon": "none", "nearestStormDistance": -999, "precipIntensity": 0.0,
          "precipProbability": -999, "precipType": "none", "temperature": -0.88, "apparentTemperature": -999, "humidity": -999,
          "pressure": -999, "windSpeed": 17.73, "windGust": -999, "windBearing": 295.73, "uvIndex": 4.2e17, "visibility": -999},
         "minutely": {"summary": "Flurries", "icon": "snow", "data": [{"time": 1762718100, "precipIntensity": -999}]},
         "hourly": {"summary": "Sleet", "icon": "sleet", "data": [
          {"time": 1762714800, "icon": "snow", "temperature": -0.49, "precipProbability": 0.47, "precipType": "snow"},
          {"time": 1762718400, "icon": "none", "temperature": -999, "precipProbability": 1, "precipType": "ice"}]},
         "daily": {"summary": "Mixed", "icon": "sleet", "data": [
          {"time": 1762664400, "icon": "sleet", "sunriseTime": -999, "sunsetTime": -999, "temperatureMin": -999, "temperatureLow": -1.29,
           "temperatureHigh": 0.04, "windSpeed": 15.4, "precipProbability": 1}]},
         "alerts": [{"title": "avertissement de neige", "regions": ["one", "two", "three", "four", "five", "six"],
          "severity": "Moderate", "time": 1762704172, "expires": -999, "description": "Première bordée.\\n\\nQuoi : \\u001b[31m10 cm."},
          {"title": "Fog", "severity": "Unknown", "time": -999, "expires": 1762761772, "regions": []}],
         "flags": {"sources": [], "nearest-station": -999, "units": "ca", "version": "V2"}}
        """

    /// Every block left out or null.
    static let nothing = """
        {"latitude": 1, "longitude": 2, "timezone": "GMT", "offset": null, "currently": null, "hourly": null, "daily": {"summary": "x"},
         "alerts": null, "flags": {}}
        """

    static let all = [clearSky, halfHour, polarNight, missingValues, nothing]
}
