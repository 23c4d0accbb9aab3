import ExampleTestSupport
import NetworkKit
import NetworkKitTesting
import PlatformBase
import Testing

/// The driver as it was built: what it reads and writes, not what the library does.
@Suite(.enabled(if: BuiltProgram("ConformanceDriver") != nil, "the program isn't beside the tests"))
struct DriverTests {
    private struct Answer: Decodable {
        var id: Int?
        var status: Int?
        var headers: [[String]]?
        var body_b64: String?
        var url: String?
        var from: String?
        var error: String?
        var message: String?
        var cancelled: Bool?

        var text: String? { body_b64.flatMap { Data(base64Encoded: $0) }.map { String(decoding: $0, as: UTF8.self) } }
    }

    private func run(_ lines: String...) async throws -> [Answer] {
        let program = try #require(BuiltProgram("ConformanceDriver"))
        let ending = try await program.throughPipe(input: lines.joined(separator: "\n") + "\n")
        #expect(ending.status == 0 && !ending.isSignal, "\(ending.errors)")
        return try ending.output.split(separator: "\n").map { try JSONDecoder().decode(Answer.self, from: Data($0.utf8)) }
    }

    @Test func `the second of two requests comes from the cache, with what the first brought`() async throws {
        try await LoopbackServer.with { routes in
            routes.get("/") { _ in .text("page", headers: ["Cache-Control": "max-age=60", "X": "1"]) }
        } perform: { server in
            let answers = try await run(
                #"{"id":1,"url":"\#(server.baseURL)","wait":true}"#,
                #"{"id":2,"method":"GET","url":"\#(server.baseURL)","headers":[["A","b"]],"body":null,"cache":"default","wait":true}"#,
                #"{"id":3,"url":"\#(server.baseURL)","session":"plain","headers":[["A","b"],["A","c"]],"wait":true}"#)
            #expect(answers.map(\.from) == ["network", "cache", "network"])
            #expect(answers.allSatisfy { $0.status == 200 && $0.text == "page" && $0.headers?.contains(["X", "1"]) == true })
            #expect(server.requests.last?.headers[values: "A"] == ["b", "c"])
            #expect(server.requests.last?.headers.contains(.userAgent) == false)
        }
    }

    @Test func `methods, bodies, redirects, limits and cookies are what a line says`() async throws {
        try await LoopbackServer.with { routes in
            routes.post("/echo") { request in
                .text("\(request.headers[.contentType] ?? "-") \(try await request.text())", headers: ["Set-Cookie": "a=b"])
            }
            routes.get("/there") { request in .text(request.headers[.cookie] ?? "-") }
            routes.get("/here") { _ in .status(302, headers: ["Location": "/there"]) }
        } perform: { server in
            let base = server.url("/").absoluteString
            let answers = try await run(
                #"{"id":1,"method":"POST","url":"\#(base)echo","body":"plain","wait":true}"#,
                #"{"id":2,"method":"POST","url":"\#(base)echo","body_b64":"Y29kZWQ=","cookies":true,"wait":true}"#,
                #"{"id":3,"url":"\#(base)here","wait":true}"#,
                #"{"id":4,"url":"\#(base)here","cookies":true,"redirect":"manual","wait":true}"#,
                #"{"id":5,"url":"\#(base)here","cookies":true,"wait":true}"#,
                #"{"id":6,"url":"\#(base)there","max_body":1,"cookies":true,"wait":true}"#,
                #"{"id":7,"url":"\#(base)there","proxy":"http://127.0.0.1:1","wait":true}"#)
            #expect(answers.map(\.text) == ["- plain", "- coded", "-", "", "a=b", nil, nil])
            #expect(answers[4].url?.hasSuffix("/there") == true && answers[3].status == 302)
            #expect(answers[5].error == "responseTooLarge" && answers[6].error == "connection")
        }
    }

    @Test func `a request that is cancelled, or takes too long, answers with its error, and others don't wait for it`() async throws {
        let gate = LoopbackGate()
        try await LoopbackServer.with { routes in
            routes.get("/stalls") { _ in
                await gate.wait()
                return .text("late")
            }
            routes.get("/quick") { _ in .text("quick") }
        } perform: { server in
            let base = server.url("/").absoluteString
            let answers = try await run(
                #"{"id":1,"url":"\#(base)stalls"}"#, #"{"id":2,"url":"\#(base)quick","wait":true}"#, #"{"id":1,"url":"\#(base)quick"}"#,
                #"{"id":3,"cancel":1}"#, #"{"id":4,"cancel":99}"#, #"{"id":5,"url":"\#(base)stalls","timeout":0.2,"wait":true}"#,
                #"{"id":6,"url":"\#(base)stalls","timeout":20,"deadline":0.2}"#)
            let byID = Dictionary(grouping: answers) { $0.id }
            #expect(byID[1]?.map(\.error).sorted { ($0 ?? "") < ($1 ?? "") } == ["cancelled", "line"])
            #expect(byID[2]?.first?.text == "quick" && byID[3]?.first?.cancelled == true && byID[4]?.first?.cancelled == false)
            #expect(byID[5]?.first?.error == "timedOut" && byID[6]?.first?.error == "timedOut" && answers.count == 7)
            gate.open()
        }
    }

    @Test func `a line that is none is answered, and so are those behind it`() async throws {
        let answers = try await run(
            "garbage", "", "[]", #"{"id":"x"}"#, #"{"id":1}"#, #"{"id":2,"url":""}"#, #"{"id":3,"url":"ftp://a.test"}"#,
            #"{"id":4,"url":"http://a.test","method":"A B"}"#, #"{"id":5,"url":"http://a.test","headers":[["a"]]}"#,
            #"{"id":6,"url":"http://a.test","body_b64":"%"}"#, #"{"id":7,"url":"http://a.test","cache":"x"}"#,
            #"{"id":8,"url":"http://a.test","redirect":"x"}"#, #"{"id":9,"url":"http://a.test","session":"x"}"#,
            #"{"id":10,"url":"http://a.test","timeout":-1}"#, #"{"id":11,"url":"http://a.test","timeout":"x"}"#,
            #"{"id":12,"url":"http://a.test","headers":[["a b","c"]]}"#, #"{"id":13,"url":"http://a.test/","cache":"only-if-cached"}"#)
        #expect(answers.count == 17)
        #expect(answers.count { $0.id == nil && $0.error == "line" } == 4)
        for id in 1...12 { #expect(answers.contains { $0.id == id && $0.error != nil && $0.message != nil }, "\(id)") }
        #expect(answers.contains { $0.id == 13 && $0.status == 504 })
    }
}
