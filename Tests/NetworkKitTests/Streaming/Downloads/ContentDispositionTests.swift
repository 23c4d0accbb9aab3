import PlatformBase
import Testing

@testable import NetworkKit

@Suite("What a downloaded file is called")
struct ContentDispositionTests {
    /// Fields of RFC 6266 §5, of RFC 8187 §3.2.3, and of servers that never read either.
    static let fields: [(field: String, name: String?)] = [
        ("attachment; filename=example.html", "example.html"),
        ("attachment; filename=\"an example.html\"", "an example.html"),
        ("INLINE; FILENAME= \"an example.html\"", "an example.html"),
        ("attachment; filename*= UTF-8''%e2%82%ac%20rates", "€ rates"),
        ("attachment; filename=\"EURO rates\"; filename*=utf-8''%e2%82%ac%20rates", "€ rates"),
        ("attachment; filename*=utf-8''%e2%82%ac%20rates; filename=\"EURO rates\"", "€ rates"),
        ("attachment; filename*=iso-8859-1'en'%A3%20rates", "£ rates"),
        ("attachment; filename*=UTF-8''%ff; filename=plain", "plain"),
        ("attachment; filename*=koi8-r''%c1; filename=plain", "plain"),
        ("attachment; filename*=UTF-8'x; filename=plain", "plain"),
        ("attachment; filename*=UTF-8''a b; filename=plain", "plain"),
        ("attachment; filename=\"a \\\"b\\\".txt\"", "a \"b\".txt"),
        ("attachment; filename=\"semi;colon.txt\"; size=3", "semi;colon.txt"),
        ("attachment; filename=first; filename=second", "first"),
        ("attachment; filename=\"open", "open"),
        ("attachment; filename=", nil),
        ("attachment; filename=\"\"", nil),
        ("attachment", nil),
        ("filename=x", nil),
        ("", nil),
        (";;;=;\"", nil),
        ("attachment; filename=Grüße.pdf", "Grüße.pdf"),
        ("attachment; filename=a b.txt", "a b.txt"),
    ]

    @Test("The name is filename*, else filename", arguments: fields.indices)
    func parse(row: Int) {
        let (field, name) = Self.fields[row]
        #expect(ContentDisposition.name(field) == name, "\(field)")
    }

    static let names: [(name: String, tamed: String)] = [
        ("poster.jpg", "poster.jpg"),
        ("../../etc/passwd", "passwd"),
        ("..\\..\\windows\\system.ini", "system.ini"),
        ("/etc/passwd", "passwd"),
        ("..", "download"),
        (".", "download"),
        ("", "download"),
        ("a/", "a"),
        ("///", "download"),
        (".bashrc", "bashrc"),
        ("...hidden", "hidden"),
        (" spaces . ", "spaces"),
        ("a\u{0}b\r\nc\u{7F}", "abc"),
        ("photo\u{202E}gpj.exe", "photogpj.exe"),
        ("a:b|c?d*e<f>g\"h", "a_b_c_d_e_f_g_h"),
        ("CON", "_CON"),
        ("nul.txt", "_nul.txt"),
        ("console.log", "console.log"),
        ("日本語.pdf", "日本語.pdf"),
        (String(repeating: "a", count: 300) + ".tar", String(repeating: "a", count: 196) + ".tar"),
        (String(repeating: "é", count: 300), String(repeating: "é", count: 100)),
        ("~", "~"),
        // A separator with something behind it that makes one character of both.
        ("/\u{200D}../\u{200D}evil.sh", "evil.sh"),
        ("a/\u{200C}..\\\u{200D}b", "b"),
        ("/\u{E0061}../\u{301}x", "\u{301}x"),
        ("..\u{200D}/..", "download"),
        ("\u{200D}.\u{200D}.\u{301}rc", "\u{301}rc"),
        ("x" + String(repeating: "\u{301}", count: 120) + ".bashrc", "download.bashrc"),
        ("con." + String(repeating: "a", count: 300), "_con." + String(repeating: "a", count: 195)),
        ("C:\\evil.exe", "evil.exe"),
    ]

    @Test("A hostile name is tamed, a decent one is kept", arguments: names.indices)
    func tamed(row: Int) {
        let (name, expected) = Self.names[row]
        let tamed = FileName.tamed(name)
        #expect(tamed == expected)
        // By bytes, as the system sees it.
        #expect(!tamed.utf8.contains { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") } && tamed.utf8.first != UInt8(ascii: "."))
        #expect(tamed.utf8.count <= FileName.limit && !tamed.isEmpty)
    }

    @Test("Without a name of the server's it is the last part of the path")
    func ofPath() {
        func name(_ text: String, _ headers: HTTPFields = [:]) -> String {
            FileName.of(ResponseHead(status: 200, headers: headers, url: url(text)))
        }
        #expect(name("https://a.example/b/c%20d.zip?e=f/g") == "c d.zip")
        #expect(name("https://a.example/b/%2E%2E%2Fetc%2Fpasswd") == "passwd")
        #expect(name("https://a.example/b/x%2F%E2%80%8D..%2F%E2%80%8Devil") == "evil")
        #expect(name("https://a.example/") == "download")
        #expect(name("https://a.example") == "download")
        #expect(name("https://a.example/b", ["Content-Disposition": "attachment; filename=\"../c\""]) == "c")
        #expect(name("https://a.example/b", ["Content-Disposition": "inline"]) == "b")
    }
}
