import ExampleSupport
import Testing

@testable import WeatherExample

@Suite struct GazetteerTests {
    @Test(arguments: [
        ("Paris", "paris"), ("PARIS", "paris"), ("new york", "new-york"), ("NewYork", "new-york"), ("sao paulo", "sao-paulo"),
        ("São Paulo", "sao-paulo"), ("Sa\u{303}o Paulo", "sao-paulo"),
    ])
    func `a place is found whatever its case, spaces and accents`(text: String, id: String) throws {
        #expect(try Gazetteer.location(text).id == id)
    }

    @Test(arguments: ["48.86,2.35", "48.86, 2.35", "-33.92,18.42", "0,0", "-90,180"])
    func `two numbers are a place`(text: String) throws {
        let location = try Gazetteer.location(text)
        #expect((-90...90).contains(location.latitude))
        #expect(location.country.isEmpty)
    }

    @Test func `an unknown place is told with the nearest and the list`() {
        #expect {
            try Gazetteer.location("Pariss")
        } throws: { error in
            guard let failure = error as? Failure else { return false }
            return failure.status == .notFound && failure.message.contains("Did you mean Paris?") && failure.message.contains("Tokyo")
        }
    }

    @Test(arguments: ["91,0", "0,181", "nan,0", "inf,0", "1e999,0"])
    func `numbers outside the globe are no place`(text: String) {
        #expect(throws: Failure.self) { try Gazetteer.location(text) }
    }

    @Test func `coordinates are equal when they are to two decimals, rounded`() {
        let key = CoordinateKey(Location(latitude: 48.86, longitude: 2.35))
        #expect(key == CoordinateKey(Location(latitude: 48.8649, longitude: 2.3451)))
        #expect(key != CoordinateKey(Location(latitude: 48.8651, longitude: 2.35)))
        #expect(CoordinateKey(Location(latitude: -0.004, longitude: 0)) == CoordinateKey(Location(latitude: 0.004, longitude: 0)))
    }

    @Test func `units are put into others`() {
        #expect(Units.si.temperature(212, from: .us) == 100)
        #expect(Units.us.temperature(-40, from: .ca) == -40)
        #expect(Units.us.temperature(50, from: .us) == 50)
        #expect(abs(Units.ca.speed(10, from: .si) - 36) < 1e-9)
        #expect(abs(Units.uk2.speed(10, from: .us) - 10) < 1e-9)
        #expect(abs(Units.us.distance(16.09344, from: .si) - 10) < 1e-9)
        #expect(Units.uk2.distance(10, from: .us) == 10)
        #expect(abs(Units.us.rain(25.4, from: .si) - 1) < 1e-9)
        #expect(Units(name: "uk") == .uk2 && Units(name: "SI") == .si && Units(name: "kelvin") == nil)
    }
}
