import Foundation
import Testing

@testable import NetworkKit

@Suite("From body to model")
struct ModelDecodingTests {
    private struct Movie: Decodable, Equatable {
        var title: String
        var runtime: Int
    }
    private struct Page: Decodable {
        var results: [Movie]
    }

    private func decoded<Model: Decodable>(
        _ type: Model.Type, _ body: Data, contentType: String? = "application/json", coding: String? = nil,
        decoder: any ResponseDecoder = .json
    ) throws(RequestError) -> Model {
        var head = ResponseHead(status: 200, url: url("https://h.test"))
        head.headers[.contentType] = contentType
        head.headers[.contentEncoding] = coding
        return try ModelDecoding.model(type, from: body, head: head, decoder: decoder)
    }

    private func fault<Model: Decodable>(
        _ type: Model.Type, _ body: String, contentType: String? = "application/json", coding: String? = nil,
        decoder: any ResponseDecoder = .json
    ) throws -> RequestError.Details<RequestError.Decode> {
        let error = failure { () throws(RequestError) in
            try decoded(type, Data(body.utf8), contentType: contentType, coding: coding, decoder: decoder)
        }
        guard case .decode(let details) = error else { throw error ?? .unknown() }
        return details
    }

    @Test("JSON becomes the model, with or without a byte order mark")
    func json() throws {
        let text = Data(#"{"title":"Fight Club","runtime":139}"#.utf8)
        #expect(try decoded(Movie.self, text) == Movie(title: "Fight Club", runtime: 139))
        #expect(try decoded(Movie.self, Data([0xEF, 0xBB, 0xBF]) + text).runtime == 139)
        #expect(try decoded(Movie?.self, text)?.runtime == 139)
        #expect(try decoded(Movie?.self, Data("null".utf8)) == nil)
    }

    @Test("An empty body is nil, an empty response, no data or no text")
    func empty() throws {
        #expect(try decoded(Movie?.self, Data()) == nil)
        #expect(try decoded(Movie??.self, Data()) == .some(.none) || decoded(Movie??.self, Data()) == .none)
        #expect(try decoded(EmptyResponse.self, Data()) == EmptyResponse())
        #expect(try decoded(Data.self, Data()).isEmpty && decoded(String.self, Data()).isEmpty)
        #expect(try decoded(Data?.self, Data()) == nil && decoded(String?.self, Data()) == nil)
    }

    @Test("An empty body is no model, and the error says so and carries the answer")
    func emptyFails() throws {
        let details = try fault(Movie.self, "")
        #expect(details.reason.contains("empty body"))
        #expect(details.expectedType == "Movie" && details.response?.head.status == 200)
        #expect(throws: RequestError.self) { try decoded([Movie].self, Data()) }
    }

    @Test("Whatever the body, an empty response and data take it")
    func raw() throws {
        let bytes = Data([0, 0xFF, 0x7B])
        #expect(try decoded(Data.self, bytes) == bytes && decoded(Data?.self, bytes) == bytes)
        #expect(try decoded(EmptyResponse.self, bytes) == EmptyResponse())
        #expect(try decoded(EmptyResponse?.self, bytes) == EmptyResponse())
    }

    @Test(
        "Text is read in the charset named, else as UTF-8, else as Latin-1",
        arguments: [
            ([0x63, 0xC3, 0xA9], "text/plain; charset=utf-8", "cé"), ([0x63, 0xC3, 0xA9], nil, "cé"), ([0x63, 0xE9], nil, "cé"),
            ([0x63, 0xE9], "text/plain; charset=ISO-8859-1", "cé"), ([0xC3, 0xA9], "text/plain; charset=\"latin1\"", "Ã©"),
            ([0xEF, 0xBB, 0xBF, 0x63], "text/plain", "c"), ([0x22, 0x63, 0x22], "application/json", "\"c\""),
        ] as [([UInt8], String?, String)])
    func text(bytes: [UInt8], contentType: String?, expected: String) throws {
        #expect(try decoded(String.self, Data(bytes), contentType: contentType) == expected)
        #expect(try decoded(String?.self, Data(bytes), contentType: contentType) == expected)
    }

    @Test("HTML instead of JSON is called that")
    func html() throws {
        let details = try fault(Movie.self, "<html>\n<body>Sign in</body>", contentType: "text/html; charset=utf-8")
        #expect(details.reason.hasPrefix("the body is text/html, not JSON"))
        #expect(details.excerpt == "<html> <body>Sign in</body>")
        #expect(details.response?.text.hasPrefix("<html>") == true)
    }

    @Test("A fault names its place, what was expected and the piece around it")
    func place() throws {
        let body = #"{"results":[{"title":"A","runtime":1},{"title":"B","runtime":"long"}],"page":1}"#
        let mismatch = try fault(Page.self, body)
        #expect(mismatch.codingPath == "results[1].runtime" && mismatch.expectedType == "Int")
        #expect(mismatch.excerpt == #""long"}],"page":1}"#)
        #expect(mismatch.underlying is DecodingError)
        let missing = try fault(Page.self, #"{"results":[{"title":"A"}]}"#)
        #expect(missing.codingPath == "results[0]" && missing.reason.contains("\"runtime\""))
        #expect(missing.excerpt == #"{"title":"A"}]}"#)
        let null = try fault(Page.self, #"{"results":[{"title":null,"runtime":1}]}"#)
        #expect(null.codingPath == "results[0].title" && null.expectedType == "String")
        let top = try fault([Movie].self, #"{"a":1}"#)
        #expect(top.codingPath.isEmpty && top.excerpt == #"{"a":1}"#)
    }

    @Test("Behind a byte order mark the excerpt is of the place, too")
    func placeBehindMark() throws {
        let mismatch = try fault(Page.self, "\u{FEFF}" + #"{"results":[{"title":"A","runtime":"long"}],"page":1}"#)
        #expect(mismatch.codingPath == "results[0].runtime" && mismatch.excerpt == #""long"}],"page":1}"#)
        #expect(try fault([Movie].self, "\u{FEFF}" + #" {"a":1}"#).excerpt == #"{"a":1}"#)
    }

    @Test("A place is found under another name when a key strategy changed it")
    func snakeCase() throws {
        struct Model: Decodable { var posterPath: Inner }
        struct Inner: Decodable { var fileSize: Int }
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let details = try fault(Model.self, #"{"other":0,"poster_path":{"file_size":"big"}}"#, decoder: decoder)
        #expect(details.codingPath == "posterPath.fileSize")
        #expect(details.excerpt == #""big"}}"#)
    }

    @Test("JSON that breaks off, or isn't any, is a fault at the top", arguments: ["{", "[1,", "nope", "{\"title\":\"A", "\u{0}"])
    func corrupt(body: String) throws {
        let details = try fault(Movie.self, body)
        #expect(details.codingPath.isEmpty && !details.reason.isEmpty)
    }

    @Test("JSON nested a hundred thousand deep is a fault and no crash", arguments: ["[", "{\"a\":"])
    func deep(opening: String) throws {
        struct Tree: Decodable { var a: [Tree]? }
        let body = String(repeating: opening, count: 100_000)
        #expect(try fault(Tree.self, body).excerpt.count <= JSONExcerpt.limit + 1)
        #expect(try fault([[Int]].self, body).excerpt.hasSuffix("…"))
    }

    @Test("A coding that nobody decoded is named")
    func coded() throws {
        #expect(try fault(Movie.self, "xx", coding: "lzma").reason.contains("still coded: lzma"))
    }

    @Test("Another decoder's error is kept")
    func otherDecoder() throws {
        struct Refusal: Error {}
        struct Refusing: ResponseDecoder {
            func decode<Model: Decodable>(_ type: Model.Type, from data: Data) throws -> Model { throw Refusal() }
        }
        #expect(try fault(Movie.self, "{}", decoder: Refusing()).underlying is Refusal)
    }

    @Test("Of a large body 64 KiB are kept with the error")
    func large() throws {
        let details = try fault(Movie.self, "[" + String(repeating: "1,", count: 50_000) + "1]")
        #expect(details.response?.body.count == FailedResponse.bodyLimit && details.response?.isBodyTruncated == true)
    }
}
