import Foundation
import Testing

@testable import NetworkKit

@Suite("Content-Length")
struct ContentLengthTests {
    /// What a set of fields means by RFC 9112 §6.3: a length, none, or an answer that can't be read.
    enum Meaning: Equatable {
        case length(Int64?)
        case malformed

        init(_ values: [String]) {
            do throws(RequestError) {
                self = .length(try ContentLength.value(values))
            } catch {
                self = error.connectionKind == .malformed ? .malformed : .length(-1)
            }
        }
    }

    @Test(
        "A number of bytes, once or the same again",
        arguments: [
            ([], .length(nil)), (["42"], .length(42)), (["42", "42"], .length(42)), (["42, 42"], .length(42)),
            (["42", "42,42"], .length(42)),
            (["0"], .length(0)), (["007"], .length(7)), ([" 42\t"], .length(42)), (["9223372036854775807"], .length(.max)),
            (["42", "30"], .malformed), (["42,30"], .malformed), ([""], .malformed), (["42,"], .malformed), ([",42"], .malformed),
            (["-1"], .malformed), (["+1"], .malformed), (["1.0"], .malformed), (["0x1"], .malformed), (["1 2"], .malformed),
            (["9223372036854775808"], .malformed), (["٤٢"], .malformed), (["chunked"], .malformed), (["42;"], .malformed),
            (["\"42\""], .malformed),
        ] as [([String], Meaning)])
    func table(values: [String], expected: Meaning) {
        #expect(Meaning(values) == expected)
    }

    @Test("The collected cases of browsers' tests, by RFC 9112 §6.3")
    func suite() throws {
        struct Case: Decodable {
            var input: String
            var rfc9112_6_3: String
        }
        guard let data = SharedSuite.data("content-lengths.json") else {
            print("content-lengths.json isn't there; the table above stands for it")
            return
        }
        let cases = try JSONDecoder().decode([Case].self, from: data)
        #expect(!cases.isEmpty)
        for test in cases {
            let fields = test.input.components(separatedBy: "\r\n")
            let values = fields.compactMap { $0.lowercased().hasPrefix("content-length:") ? String($0.dropFirst(15)) : nil }
            if test.rfc9112_6_3.hasPrefix("accept ") {
                #expect(Meaning(values) == .length(Int64(test.rfc9112_6_3.dropFirst(7))), "\(test.input)")
            } else {
                #expect(Meaning(values) == .malformed, "\(test.input): \(test.rfc9112_6_3)")
            }
        }
    }
}
