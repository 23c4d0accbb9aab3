import Foundation
import Testing

@testable import NetworkKit

@Suite("URI templates")
struct URITemplateTests {
    private static let values: [String: (any URITemplateValue)?] = [
        "var": "value", "hello": "Hello World!", "path": "/foo/bar", "empty": "", "x": 1024, "y": "768", "half": "50%", "who": "fred",
        "list": ["red", "green", "blue"], "keys": ["semi": ";", "dot": ".", "comma": ","] as URITemplatePairs, "undef": nil,
        "none": [String](), "base": "http://example.com/home/", "greek": "αβγ", "clef": "𝄞x", "done": "a%2Fb", "price": 1e21,
        "yes": true, "sorted": ["b": 2, "a": 1],
    ]

    /// Own twins of the RFC's examples, and what goes beyond them.
    private static let table: [(String, String)] = [
        ("", ""), ("plain", "plain"), ("{var}", "value"), ("{hello}", "Hello%20World%21"), ("{+hello}", "Hello%20World!"),
        ("{half}", "50%25"), ("{+half}", "50%25"), ("{+done}", "a%2Fb"), ("{done}", "a%252Fb"), ("{+path}/here", "/foo/bar/here"),
        ("{#path:6}here", "#/foo/bhere"), ("X{#var}", "X#value"), ("map?{x,y}", "map?1024,768"),
        ("{x,hello,y}", "1024,Hello%20World%21,768"),
        ("X{.list}", "X.red,green,blue"), ("X{.list*}", "X.red.green.blue"), ("X{.empty}", "X."), ("X{.undef}", "X"),
        ("{/var,x}/here", "/value/1024/here"),
        ("{/list*,path:4}", "/red/green/blue/%2Ffoo"), ("{/var,empty}", "/value/"), ("{;x,y,empty}", ";x=1024;y=768;empty"),
        ("{;list}", ";list=red,green,blue"), ("{;list*}", ";list=red;list=green;list=blue"), ("{;keys*}", ";semi=%3B;dot=.;comma=%2C"),
        ("{?x,y,empty}", "?x=1024&y=768&empty="), ("{?undef}", ""), ("{?undef,x}", "?x=1024"), ("?a=1{&x,undef}", "?a=1&x=1024"),
        ("{?var:3}", "?var=val"), ("{?list*}", "?list=red&list=green&list=blue"), ("{?keys}", "?keys=semi,%3B,dot,.,comma,%2C"),
        ("{keys}", "semi,%3B,dot,.,comma,%2C"), ("{keys*}", "semi=%3B,dot=.,comma=%2C"), ("{+keys*}", "semi=;,dot=.,comma=,"),
        ("{list}", "red,green,blue"), ("{var:3}", "val"), ("{var:30}", "value"), ("{none}", ""), ("{?none*}", ""), ("{undef,var}", "value"),
        ("{greek:2}", "%CE%B1%CE%B2"), ("{clef:1}", "%F0%9D%84%9E"), ("{price}", "1000000000000000000000"), ("{yes}", "true"),
        ("{?sorted*}", "?a=1&b=2"), ("é{var}%20|", "%C3%A9value%20%7C"), ("{base}index", "http%3A%2F%2Fexample.com%2Fhome%2Findex"),
        ("{+base}index", "http://example.com/home/index"), ("O{empty}X", "OX"), ("{who}{who}", "fredfred"),
    ]

    @Test("Expressions of all levels", arguments: table)
    func expands(template: String, expected: String) throws {
        #expect(try URITemplate(template).expand(Self.values) == expected)
    }

    @Test(
        "What is no template fails, and says where",
        arguments: [
            "{", "}", "{}", "a}b", "{a", "{a{b}}", "{=a}", "{!a}", "{@a}", "{|a}", "{$a}", "{a b}", "{ a}", "{a }", "{a:}", "{a:0}",
            "{a:01}",
            "{a:10000}", "{a:x}", "{a:2*}", "{a*:2}", "{a**}", "{.}", "{a.}", "{.a..b}", "{a,}", "{,a}", "{a,,b}", "{a-b}", "{~a}", "{%2x}",
            "{%}",
            "{?a=b}", "a b", "{a?}", "{\u{E9}}", "{#}",
        ])
    func malformed(_ text: String) {
        guard case .invalidURL(let details)? = failure(of: { () throws(RequestError) in try URITemplate(text).expand([:]) }) else { return }
        #expect(details.reason.contains("at byte"))
    }

    @Test("A prefix of a list, a list in a list, and a number that isn't finite can't be expanded")
    func values() {
        for (template, values) in [
            ("{list:1}", Self.values), ("{a}", ["a": [["b"]]]), ("{a}", ["a": Double.nan]), ("{a}", ["a": [Double.infinity]]),
        ]
            as [(URITemplate, [String: (any URITemplateValue)?])]
        {
            guard case .invalidURL? = failure(of: { () throws(RequestError) in try template.expand(values) }) else { return }
        }
    }

    @Test("The names of the variables are known")
    func variables() {
        #expect(URITemplate("/{a}/{b.c:3}{?a,%41,d*}").variables == ["a", "b.c", "%41", "d"])
    }

    @Test("The collected cases", arguments: ["spec-examples", "spec-examples-by-section", "extended-tests", "negative-tests"])
    func suite(_ name: String) throws {
        guard let data = SharedSuite.data("\(name).json", of: "uritemplate") else {
            print("\(name).json isn't there; the tables above stand for it")
            return
        }
        let groups = try OrderedJSON(data).members
        #expect(!groups.isEmpty)
        var count = 0
        for (group, content) in groups {
            let values = try #require(content["variables"]).members.reduce(into: [String: (any URITemplateValue)?]()) {
                $0[$1.0] = $1.1.templateText
            }
            for test in try #require(content["testcases"]).elements {
                let template = URITemplate(test.elements[0].text ?? "")
                let result = Result { () throws(RequestError) in try template.expand(values) }
                let accepted = test.elements[1].text.map { [$0] } ?? test.elements[1].elements.compactMap(\.text)
                if accepted.isEmpty {
                    guard case .failure(.invalidURL) = result else { Issue.record("\(group): \(template) gives \(result)"); continue }
                } else {
                    let text = try? result.get()
                    #expect(accepted.contains(text ?? "failed"), "\(group): \(template)")
                }
                count += 1
            }
        }
        #expect(count == ["spec-examples": 64, "spec-examples-by-section": 117, "extended-tests": 53, "negative-tests": 36][name])
    }

    @Test("A template is a path, whose query is merged")
    func path() throws {
        func sent(_ template: URITemplate, _ values: [String: (any URITemplateValue)?], query: Query = [:]) throws(RequestError) -> String {
            try HTTPRequest(SampleEndpoint(path: Path(template, values), query: query)).url.absoluteString.replacing(
                "https://api.example.com", with: "")
        }
        #expect(try sent("users/{id}/repos{?page,sort}", ["id": "a/b", "page": 2, "sort": nil]) == "/users/a%2Fb/repos?page=2")
        #expect(try sent("/a{/rest*}", ["rest": ["b c", "d"]], query: ["q": 1]) == "/a/b%20c/d?q=1")
        #expect(try sent("a{?x}", ["x": "1"], query: ["y": 2]) == "/a?x=1&y=2")
        #expect(try sent("a/{?x}", [:]) == "/a/")
        #expect(try sent("a{/b}", [:]) == "/a")
        #expect(try sent("a/b{c}", [:]) == "/a/b")
        for (template, values) in [
            ("users/{id}", ["id": ""]), ("users/{id}", [:]), ("users/{id}/x", [:]), ("users/{id}", ["id": ".."]),
            ("users/{+id}", ["id": "a/../b"]),
            ("users/{id}", ["id": "%2e%2e"]), ("users{/id}", ["id": ""]), ("users{/id*}", ["id": ["a", ""]]), ("{id}", ["id": "."]),
            ("{id}{?q}", ["q": "1"]),
            ("{", [:]), ("{a:1}", ["a": ["b"]]),
        ] as [(URITemplate, [String: (any URITemplateValue)?])] {
            guard case .invalidURL(let details)? = failure(of: { () throws(RequestError) in try sent(template, values) }) else { continue }
            #expect(details.component == .path)
        }
    }

    @Test("A template is a URL, if it is one that can be asked")
    func url() throws {
        let template: URITemplate = "https://{host}/{+path}{?q}"
        #expect(try template.url(["host": "h.test", "path": "a/b", "q": "ü"]).absoluteString == "https://h.test/a/b?q=%C3%BC")
        for values in [["host": ""], ["host": "h:x"]] as [[String: (any URITemplateValue)?]] {
            guard case .invalidURL? = failure(of: { () throws(RequestError) in try template.url(values) }) else { return }
        }
        guard case .invalidURL? = failure(of: { () throws(RequestError) in try URITemplate("/a/{b}").url(["b": 1]) }) else { return }
    }
}

/// JSON whose objects keep their order, which the cases rely upon.
private struct OrderedJSON {
    var text: String?
    var elements: [OrderedJSON] = []
    var members: [(String, OrderedJSON)] = []
    var isNull = false

    subscript(name: String) -> OrderedJSON? { members.first { $0.0 == name }?.1 }

    var templateText: (any URITemplateValue)? {
        if isNull { return nil }
        if let text { return text }
        if !members.isEmpty { return URITemplateText.pairs(members.map { URITemplatePair(name: $0.0, value: $0.1.text ?? "") }) }
        return URITemplateText.list(elements.compactMap(\.text))
    }

    init(_ data: Data) throws {
        var rest = Substring(String(decoding: data, as: UTF8.self))
        try self.init(&rest)
    }

    private init(_ rest: inout Substring) throws {
        struct Malformed: Error {}
        func skip() { rest = rest.drop(while: \.isWhitespace) }
        func take(_ character: Character) -> Bool {
            skip()
            guard rest.first == character else { return false }
            rest.removeFirst()
            return true
        }
        func string() throws -> String {
            let start = rest.startIndex
            var index = rest.index(after: start)
            while rest[index] != "\"" { index = rest.index(index, offsetBy: rest[index] == "\\" ? 2 : 1) }
            defer { rest = rest[rest.index(after: index)...] }
            return try JSONDecoder().decode(String.self, from: Data(rest[start...index].utf8))
        }
        if take("{") {
            while !take("}") {
                _ = take(",")
                skip()
                let name = try string()
                guard take(":") else { throw Malformed() }
                members.append((name, try OrderedJSON(&rest)))
            }
        } else if take("[") {
            while !take("]") {
                _ = take(",")
                elements.append(try OrderedJSON(&rest))
            }
        } else {
            skip()
            if rest.first == "\"" {
                text = try string()
            } else {
                let word = rest.prefix { !",]} \n\r\t".contains($0) }
                rest = rest[word.endIndex...]
                isNull = word == "null"
                // `false` is how the cases write that there is no result.
                text = isNull || word == "false" ? nil : String(word)
            }
        }
    }
}
