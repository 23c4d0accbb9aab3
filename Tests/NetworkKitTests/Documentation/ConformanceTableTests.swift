import Foundation
import Testing

@Suite("Documentation")
struct ConformanceTableTests {
    /// The rows of all tables of Documentation/Conformance.md whose last column names tests.
    private func rows() throws -> [[String]] {
        let document = try RepositoryText.file("Documentation/Conformance.md")
        return ["What runs on Linux", "Bad input", "Field reports"].flatMap { RepositoryText.table(under: $0, in: document) }
    }

    @Test("The tests that Conformance.md names exist, and what has none says why")
    func namedTestsExist() throws {
        let tests = try RepositoryText.swift(below: "Tests")
        let rows = try rows()
        #expect(rows.count >= 70)
        for row in rows {
            let cell = try #require(row.last)
            let names = cell.matches(of: /`([^`]+)`/).map { String($0.1) }
            #expect(!names.isEmpty || cell.hasPrefix("not yet: needs "), "no test: \(row)")
            for name in names { #expect(tests.contains("\"\(name)\""), "no test is called \(name)") }
        }
    }

    @Test("Every field report has a row", .enabled(if: FieldReports.text != nil, "the reports are kept beside the repository"))
    func everyReportHasARow() throws {
        let reports = try #require(FieldReports.text).matches(of: #/### (B\d+) /#).map { String($0.1) }
        #expect(reports.count >= 40)
        #expect(try rows().map { $0[0] }.filter { $0.wholeMatch(of: /B\d+/) != nil }.sorted() == reports.sorted())
    }

    @Test(
        "The landing page of the documentation names every public type, and no other",
        arguments: ["NetworkKit", "NetworkKitTesting", "NetworkKitTestingTraits"])
    func landingPage(module: String) throws {
        let page = try RepositoryText.file("Sources/\(module)/\(module).docc/\(module).md")
        let named = page.matches(of: /\n- ``(\w+)``/).map { String($0.1) }
        let declaration = /(?:^|\n)public (?:final |indirect )?(?:struct|enum|protocol|class|actor|typealias) (\w+)/
        let declared = try RepositoryText.swift(below: "Sources/\(module)").matches(of: declaration).map { String($0.1) }
        #expect(Set(named).count == named.count)
        #expect(Set(named).symmetricDifference(declared) == [])
    }
}

private enum FieldReports {
    static let text = try? String(contentsOf: RepositoryText.root.appending(path: "../shared/facts/field-reports.md"), encoding: .utf8)
}
