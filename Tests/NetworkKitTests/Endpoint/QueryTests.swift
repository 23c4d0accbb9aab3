import Foundation
import Testing

@testable import NetworkKit

@Suite("Queries")
struct QueryTests {
    @Test("Order and repeated names are kept, nil and empty collections left out")
    func order() throws {
        let region: String? = nil
        let query: Query = ["z": 1, "a": "x", "region": region, "z": 2, "none": [Int](), "flag": true, "empty": ""]
        #expect(try query.encoded() == "z=1&a=x&z=2&flag=true&empty=")
    }

    @Test("A query of nothing adds no question mark")
    func nothing() throws {
        let none: Int? = nil
        for query: Query in [[:], ["a": none], ["a": [String]()], Query(encoded: ""), ["a": [none]]] {
            #expect(try EndpointURL(base: url("https://h.test"), path: "a", query: query).url.absoluteString == "https://h.test/a")
        }
    }

    @Test(
        "Everything but unreserved characters is encoded, in names too",
        arguments: [
            ("a b", "a%20b"), ("a+b", "a%2Bb"), ("a&b=c", "a%26b%3Dc"), ("%41", "%2541"), ("a/b?c#d", "a%2Fb%3Fc%23d"),
            ("é漢", "%C3%A9%E6%BC%A2"), ("\r\n\0", "%0D%0A%00"), ("-._~", "-._~"), ("!*'();:@$,[]", "%21%2A%27%28%29%3B%3A%40%24%2C%5B%5D"),
        ])
    func encoding(text: String, expected: String) throws {
        let query: Query = [text: text]
        #expect(try query.encoded() == "\(expected)=\(expected)")
    }

    @Test(
        "An array is written in the style asked for",
        arguments: [
            (.repeated, "a=1&a=2&b=x%2Cy&c=3"), (.brackets, "a%5B%5D=1&a%5B%5D=2&b%5B%5D=x%2Cy&c=3"),
            (.indexed, "a%5B0%5D=1&a%5B1%5D=2&b%5B0%5D=x%2Cy&c=3"), (.commas, "a=1,2&b=x%2Cy&c=3"),
        ] as [(Query.ArrayStyle, String)])
    func arrays(style: Query.ArrayStyle, expected: String) throws {
        let list: [String]? = ["x,y"]
        let query: Query = ["a": [1, 2], "b": list, "c": 3]
        #expect(try query.arrays(style).encoded() == expected)
        var later = Query().arrays(style)
        later.append("a", [1, 2])
        later.append("b", list)
        later.append("c", 3)
        #expect(try later.encoded() == expected)
    }

    @Test(
        "A secret array is written in the query's style, and a secret value is no array",
        arguments: [
            (.repeated, "a=1&a=2&b=3&c=4"), (.brackets, "a%5B%5D=1&a%5B%5D=2&b=3&c%5B%5D=4"),
            (.indexed, "a%5B0%5D=1&a%5B1%5D=2&b=3&c%5B0%5D=4"), (.commas, "a=1,2&b=3&c=4"),
        ] as [(Query.ArrayStyle, String)])
    func secretArrays(style: Query.ArrayStyle, expected: String) throws {
        let list: [Int]? = [4]
        let query: Query = ["a": .secret([1, 2]), "b": .secret(3), "c": .secret(list)]
        #expect(try query.arrays(style).encoded() == expected)
        #expect(query.arrays(style).secrets == ["1", "2", "3", "4"])
    }

    @Test("A query keeps its style of arrays when it is added to another")
    func mixedStyles() throws {
        let ids: Query = ["id": [1, 2]]
        var query: Query = ["tag": ["a", "b"]]
        query.append(ids.arrays(.commas))
        #expect(try query.encoded() == "tag=a&tag=b&id=1,2")
    }

    @Test(
        "A double is never written with an exponent",
        arguments: [
            (1, "1"), (-122.0, "-122"), (0.1, "0.1"), (1e-5, "0.00001"), (-1.5e-7, "-0.00000015"), (1e16, "10000000000000000"),
            (1.25e20, "125000000000000000000"), (123_456_789.125, "123456789.125"), (37.7749, "37.7749"), (0, "0"),
            (.leastNonzeroMagnitude, "0." + String(repeating: "0", count: 323) + "5"), (9.007199254740993e15, "9007199254740992"),
        ] as [(Double, String)])
    func doubles(number: Double, expected: String) throws {
        let query: Query = ["n": number]
        #expect(try query.encoded() == "n=\(expected)")
        #expect(Double(expected) == number)
    }

    @Test("The greatest double is written out and read back")
    func greatestDouble() throws {
        for number in [Double.greatestFiniteMagnitude, .leastNormalMagnitude, -.pi * 1e-200, 1 / 3] {
            let text = DecimalText.part(number).text
            #expect(!text.lowercased().contains("e"))
            #expect(Double(text) == number)
        }
    }

    @Test("A number without a decimal form is refused", arguments: [Double.nan, .infinity, -.infinity])
    func notFinite(number: Double) {
        let query: Query = ["n": number]
        let error = failure { () throws(RequestError) in try query.encoded() }
        #expect(error?.invalidComponent == .query)
        #expect(error?.description.contains("\"n\"") == true)
    }

    @Test("A query that is encoded already goes out as it is")
    func encoded() throws {
        var query = Query(encoded: "q=a+b%20c&f=x,y/z?")
        query.append("p", "a+b")
        #expect(try query.encoded() == "q=a+b%20c&f=x,y/z?&p=a%2Bb")
    }

    @Test("An encoded query can't begin a fragment or another line")
    func encodedIsContained() throws {
        var query = Query(encoded: "q=a#b c%")
        query.append("p", 1)
        let target = try EndpointURL(base: url("https://h.test"), path: "a", query: query)
        #expect(target.url.absoluteString == "https://h.test/a?q=a%23b%20c%25&p=1")
        let bad = Query(encoded: "q=a\r\nX: y")
        #expect(failure { () throws(RequestError) in try bad.encoded() }?.invalidComponent == .query)
    }

    @Test("A form leaves letters, digits and *-._ and writes a space as a plus sign")
    func form() throws {
        let body = RequestBody.form(["user": "x y", "pwd": "cool//pass%", "t": "*-._~+é", "n": ["a", "b"]])
        guard case .data(let data) = body.content else { throw RequestError.unknown() }
        #expect(String(decoding: data, as: UTF8.self) == "user=x+y&pwd=cool%2F%2Fpass%25&t=*-._%7E%2B%C3%A9&n=a&n=b")
        #expect(body.contentType == "application/x-www-form-urlencoded")
        #expect(body.length == Int64(data.count))
    }

    @Test("A form with a value that can't be sent ends in encode")
    func badForm() {
        let endpoint = SampleEndpoint(method: .post, body: .form(["n": Double.nan]))
        #expect(failure { () throws(RequestError) in try HTTPRequest(endpoint) }?.encodePart == .body)
    }

    @Test("A secret is sent and never shown, nor are its encoded forms")
    func secrets() throws {
        let query: Query = ["api_key": .secret("k3y/ü+ x"), "page": 1, "list": .secret(["s3cr3t-a", "s3cr3t-b"])]
        #expect(try query.encoded().hasPrefix("api_key=k3y%2F%C3%BC%2B%20x&page=1&list=s3cr3t-a&list=s3cr3t-b"))
        #expect("\(query)" == "api_key=***&page=1&list=***&list=***")
        let value: SecretQueryValue = .secret("s3cr3t-c")
        let shown = everythingShown(of: query) + everythingShown(of: SampleEndpoint(query: query)) + everythingShown(of: value)
        #expect(!shown.contains("k3y") && !shown.contains("s3cr3t"))
    }

    @Test("A type of one's own is a value by its raw value")
    func rawValues() throws {
        enum Order: String, QueryValue { case up, down }
        enum Size: Int, QueryValue { case small = 1 }
        let query: Query = ["order": Order.down, "orders": [Order.up, .down], "size": Size.small, "id": UInt64.max]
        #expect(try query.encoded() == "order=down&orders=up&orders=down&size=1&id=18446744073709551615")
    }

    @Test("Thousands of characters outside ASCII are encoded")
    func longText() throws {
        let query: Query = ["q": String(repeating: "漢", count: 20_000)]
        #expect(try query.encoded().utf8.count == 2 + 20_000 * 9)
    }
}
