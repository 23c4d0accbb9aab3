import Foundation
import Testing

@testable import NetworkKit

@Suite("Links of an answer")
struct WebLinkTests {
    private static let table: [(String, [(String, [String])])] = [
        ("", []), ("<a>; rel=next", [("a", ["next"])]),
        ("<a>;rel=\"next prev\", <b>; REL=Last", [("a", ["next", "prev"]), ("b", ["last"])]),
        ("<a,b;c>; rel=next", [("a,b;c", ["next"])]), ("<a>; rel=next; rel=prev", [("a", ["next"])]), ("<>; rel=self", [("", ["self"])]),
        (" <a> ; rel = next ,, <b>,", [("a", ["next"]), ("b", [])]), ("<a>; title=\"x, <y>; z\"; rel=next", [("a", ["next"])]),
        ("<a>; title=\"say \\\"hi\\\", you\"; rel=next, <b>; rel=last", [("a", ["next"]), ("b", ["last"])]), ("<a>; rel", [("a", [])]),
        ("a; rel=next", []), ("<a; rel=next", []), ("<a>; rel=\"next", [("a", ["next"])]), ("<a>;;; rel=next;", [("a", ["next"])]),
        ("<a> junk; rel=next, <b>; rel=last", [("a", []), ("b", ["last"])]), ("<a>; rel=\"\", <b>; rel=x", [("a", []), ("b", ["x"])]),
    ]

    @Test("Links and their relations", arguments: table)
    func links(text: String, expected: [(String, [String])]) {
        let links = WebLink.links(in: text)
        #expect(links.map(\.target) == expected.map(\.0))
        #expect(links.map(\.relations) == expected.map(\.1))
    }

    @Test("Titles and anchors")
    func parameters() {
        let link = WebLink.links(in: "</x>; rel=next; title=\"plain\"; title*=UTF-8''%e2%82%ac; anchor=\"#s\"").first
        #expect(link?.title == "€")
        #expect(link?.anchor == "#s")
        #expect(link?.parameters.map(\.name) == ["rel", "title", "title*", "anchor"])
        #expect(WebLink.links(in: "</x>; title=a; title*=UTF-8''b c").first?.title == "a")
        #expect(WebLink.links(in: "</x>; title=a; title*=koi8'x'%00").first?.title == "a")
        #expect(WebLink.links(in: "</x>; title*=iso-8859-1'en'%A3").first?.title == "£")
    }

    @Test("The collected cases")
    func suite() throws {
        struct Case: Decodable {
            struct Link: Decodable {
                var target: String
                var rel: [String]
                var title, anchor: String?
            }
            var input: String
            var links: [Link]
        }
        guard let data = SharedSuite.data("link-header.json") else {
            print("link-header.json isn't there; the table above stands for it")
            return
        }
        let cases = try JSONDecoder().decode([Case].self, from: data)
        #expect(!cases.isEmpty)
        for test in cases {
            let links = WebLink.links(in: test.input)
            #expect(links.map(\.target) == test.links.map(\.target), "\(test.input)")
            #expect(links.map(\.relations) == test.links.map(\.rel), "\(test.input)")
            for (link, expected) in zip(links, test.links) {
                if let title = expected.title { #expect(link.title == title, "\(test.input)") }
                #expect(link.anchor == expected.anchor, "\(test.input)")
            }
        }
    }

    @Test("A link is relative to the answer's URL, and of the answer itself")
    func resolved() {
        func link(_ values: String...) -> String? {
            let headers = HTTPFields(values.map { HTTPField(name: .link, value: $0) })
            return ResponseHead(status: 200, headers: headers, url: url("https://h.test/a/b?page=1#f")).link("Next")?.absoluteString
        }
        #expect(link("<?page=2>; rel=next") == "https://h.test/a/b?page=2")
        #expect(link("<../c>; rel=prev", "<c>; rel=\"last next\"") == "https://h.test/a/c")
        #expect(link("<//other.test/x y>; rel=next") == "https://other.test/x%20y")
        #expect(link("<c>; rel=next; anchor=\"/other\"", "<d>; rel=next; anchor=\"\"") == "https://h.test/a/d")
        #expect(link("<c>; rel=prev") == nil)
        #expect(link("<https://[::1/c>; rel=next") == nil)
        #expect(link() == nil)
    }
}
