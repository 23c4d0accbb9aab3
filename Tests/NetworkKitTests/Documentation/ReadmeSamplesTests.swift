import Foundation  // for URL; a small Linux program imports FoundationEssentials instead
import NetworkKit
import NetworkKitTesting
import Testing

// The samples of README.md, as they stand there: a test below sees that each of its blocks is here.

protocol LibraryEndpoint: Endpoint {}
extension LibraryEndpoint { var baseURL: URL { URL(string: "https://library.example/v1")! } }

/// A call that knows what it answers.
struct SearchBooks: LibraryEndpoint, ResponseEndpoint {
    typealias Response = [Book]
    var title: String
    var author: String?
    var path: Path { "books" }
    var query: Query { ["title": title, "author": author] }  // nil is left out
}

/// Or several calls as an enum.
enum LoanEndpoint: LibraryEndpoint {
    case list(member: String)
    case open(Loan)
    case close(id: Int)

    var path: Path {
        switch self {
        case .list(let member): "members/\(member)/loans"  // an interpolated value is one encoded segment
        case .open: "loans"
        case .close(let id): "loans/\(id)"
        }
    }
    var method: any RequestMethod {
        switch self {
        case .list: .get
        case .open: .post
        case .close: .delete
        }
    }
    var body: RequestBody? {
        if case .open(let loan) = self { .json(loan) } else { nil }
    }
}

struct Library: HTTPClient {
    var session = HTTPSession(defaults: .init(timeout: .seconds(10)))

    func search(_ title: String) async -> Result<[Book], RequestError> {
        await send(SearchBooks(title: title))
    }
    func loans(of member: String) async -> Result<[Loan], RequestError> {
        await sendRequest(endpoint: LoanEndpoint.list(member: member), responseModel: [Loan].self)
    }
    func close(_ loan: Loan) async -> Result<EmptyResponse, RequestError> {
        await sendRequest(endpoint: LoanEndpoint.close(id: loan.id), responseModel: EmptyResponse.self)
    }
}

func showBooks(from library: Library) async throws(RequestError) {
    switch await library.search("Dune") {
    case .success(let books): show(books)
    case .failure(.unauthorized): signIn()
    case .failure(let error): show(error.customMessage)  // for a person; error.description is for the log
    }
    let loans = try await library.loans(of: "ann").get()
    show(loans)
}

struct StoreRecording: LibraryEndpoint {
    var file: URL
    var path: Path { "recordings" }
    var method: any RequestMethod { .put }
    var body: RequestBody? { .file(file, contentType: "text/csv") }
    var options: RequestOptions { .init(expectContinueTimeout: .seconds(2)) }  // Expect: 100-continue
}

let uploads = HTTPSession(interceptors: [
    .logging(), .requestCompression(over: 4096, where: { $0.url.host() == "library.example" }), .retry(),
])

func session(token: String, key: String) -> HTTPSession {
    HTTPSession(headers: ["Authorization": "Bearer \(token)", "X-Api-Key": .secret(key), "User-Agent": "Library/1.0"])
}

struct Stopwatch: Interceptor {
    func intercept(_ request: HTTPRequest, next: Next) async throws(RequestError) -> HTTPResponse {
        let start = ContinuousClock.now
        let response = try await next(request)
        print(request.method, request.url.path, response.status, ContinuousClock.now - start)
        return response
    }
}

let timedSession = HTTPSession(interceptors: [Stopwatch(), .redirects()])

func watchedSession(recorder: TrafficRecorder, export: @escaping @Sendable (TraceSpan) -> Void) -> HTTPSession {
    HTTPSession(interceptors: [
        .logging(level: .failures, sink: LogSink { entry in print(entry.text) }), .redirects(), .tracing { export($0) },
        .recording(recorder),
    ])
}

func look(at library: Library) async throws(RequestError) {
    print(library.explain(SearchBooks(title: "Dune")))  // URL and fields with their origins, limits, and the stack
    print(try HTTPRequest(SearchBooks(title: "Dune")).curlCommand())  // showsSecrets: true shows what is masked
    let reply = try await library.reply(to: SearchBooks(title: "Dune")).get()
    print(reply.metrics.waterfall())  // a line a phase: queue, lookup, connect, tls, send, wait, receive, decode
}

func corporateSession() -> HTTPSession {
    let tls = TLSOptions(
        authorityFile: "/etc/ssl/corporate.pem",
        pins: [
            "sha256//47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=", "sha256//FAEHAQvP5Uvc4IJfStMf0Cpr+3xwTbKXzUmxcRnMp9Q=",
        ])
    return HTTPSession(transport: CurlTransport(.init(tls: tls)))
}

func clientSession(passphrase: String) -> HTTPSession {
    let certificate = TLSOptions.ClientCertificate.pem("client.pem", keyFile: "client.key", passphrase: passphrase)
    return HTTPSession(transport: CurlTransport(.init(tls: TLSOptions(clientCertificate: certificate))))
}

let docker = NetworkClient(session: HTTPSession(transport: CurlTransport(.init(unixSocket: "/var/run/docker.sock"))))

func proxiedSession(user: String, password: String) -> HTTPSession {
    let proxy = CurlTransport.Options.Proxy.url(
        "http://proxy.example:3128", user: user, password: password, except: ["localhost", "corp.example", "10.0.0.0/8"])
    return HTTPSession(transport: CurlTransport(.init(proxy: proxy)))
}

let movedServer = CurlTransport(.init(addresses: ["api.example.com:443": ["192.0.2.7", "2001:db8::7"]]))

func titles(of ids: [Int], in library: Library) async -> [String] {
    await withTaskExecutorPreference(library.session.executor) {
        var titles: [String] = []
        for id in ids { if let book = try? await library.book(id).get() { titles.append(book.title) } }
        return titles
    }
}

extension Library {
    func book(_ id: Int) async -> Result<Book, RequestError> {
        await sendRequest(endpoint: BookByID(id: id), responseModel: Book.self)
    }
}
private struct BookByID: Endpoint {
    let id: Int
    var baseURL: URL { URL(string: "https://library.example/v1")! }
    var path: Path { "books/\(id)" }
}

/// Sends every request to a server on this machine.
struct ToLoopback: Interceptor {
    let server: LoopbackServer
    func intercept(_ request: HTTPRequest, next: Next) async throws(RequestError) -> HTTPResponse {
        var request = request
        var target = URLComponents(url: request.url, resolvingAgainstBaseURL: true)
        target?.scheme = "http"
        target?.host = "127.0.0.1"
        target?.port = server.port
        request.url = target?.url ?? server.baseURL
        return try await next(request)
    }
}

@Test func aSearchFindsBooks() async throws {
    try await LoopbackServer.with { routes in
        routes.get("/v1/books") { _ in .json(#"[{"title": "Dune"}]"#) }
        routes.get("/v1/members/:name/loans") { _ in .text("busy", status: 503).delayed(by: .milliseconds(10)) }
    } perform: { server in
        let library = Library(session: HTTPSession(interceptors: [ToLoopback(server: server)]))
        let books = try await library.search("Dune").get()
        #expect(books.map(\.title) == ["Dune"])
        #expect(server.requests.map(\.target) == ["/v1/books?title=Dune"])

        let loans = await library.loans(of: "ann")
        #expect(throws: RequestError.self) { try loans.get() }
    }
}

@Test func aBookIsFound() async throws {
    let library = Library(session: .stubbed(.json(#"[{"title": "Dune"}]"#)))
    #expect(try await library.search("Dune").get().map(\.title) == ["Dune"])
}

// The scaffold.
struct Book: Decodable, Sendable { var title: String }
struct Loan: Codable, Sendable { var id: Int }
private func show(_ something: some Sendable) {}
private func signIn() {}

private let token = "synthetic"
let standardSession = HTTPSession.standard(
    logging: .logging(),
    authentication: .authentication(.bearer(token)),
    rateLimit: .rateLimit(10, per: .seconds(1)))

func follow(_ client: some HTTPClient, _ feed: some Endpoint) async throws(RequestError) {
    for try await event in client.events(for: feed) { print(event.type, event.data) }
}

func fetch(_ release: some Endpoint, with client: some HTTPClient, to file: URL, sha256: String) async -> Result<URL, RequestError> {
    await client.download(release, to: file, options: .init(existingFile: .replace, sha256: sha256)) { progress in
        print(progress.completed, progress.fraction ?? 0)
    }
}

func send(_ upload: (RequestOptions) -> some Endpoint, with client: some HTTPClient) async -> Result<Data, RequestError> {
    let progress = ProgressMonitor()
    let call = upload(.init(progress: progress))
    async let answer = client.data(for: call)
    for await step in progress.updates { print(step.upload.fraction ?? 0, step.download.completed) }  // ends with the call
    return await answer
}

@Suite("README.md: samples")
struct ReadmeSamplesTests {
    @Test("Every sample is among those that compile")
    func everySampleCompiles() throws {
        let compiled = try ["NetworkKitTests/Documentation/ReadmeSamplesTests.swift", "MainActorAppTests/ReadmeSamples.swift"]
            .map { RepositoryText.normalised(try RepositoryText.file("Tests/" + $0)) }
        let samples = try RepositoryText.file("README.md").matches(of: /```swift\n(.*?)```/.dotMatchesNewlines()).map { String($0.1) }
        #expect(samples.count >= 10)
        for sample in samples {
            let text = RepositoryText.normalised(sample)
            #expect(compiled.contains { $0.contains(text) }, "not in the tests: \(sample)")
        }
    }

    @Test("The samples do what the text says of them")
    func samplesWork() async throws {
        let open = try HTTPRequest(LoanEndpoint.open(Loan(id: 7)))
        #expect(open.method == .post && open.url.absoluteString == "https://library.example/v1/loans")
        let list = try HTTPRequest(LoanEndpoint.list(member: "a/b"))
        #expect(list.url.absoluteString == "https://library.example/v1/members/a%2Fb/loans")
        #expect(try HTTPRequest(SearchBooks(title: "a b", author: nil)).url.query() == "title=a%20b")

        let library = Library(session: .stubbed(.json(#"[{"title": "Dune"}]"#)))
        #expect(try await library.search("Dune").get().map(\.title) == ["Dune"])
        guard case .failure(.decode) = await library.loans(of: "ann") else { return #expect(Bool(false)) }
        await #expect(throws: RequestError.self) { try await showBooks(from: library) }
        _ = (corporateSession(), timedSession)
    }

    @Test("A file is downloaded, and an upload is followed, as the text says")
    func transfers() async throws {
        let client = NetworkClient(session: .stubbed(.text("abc")))
        let upload: (RequestOptions) -> SampleEndpoint = { SampleEndpoint(method: .put, body: .data(Data(count: 9)), options: $0) }
        #expect(try await send(upload, with: client).get() == Data("abc".utf8))
        let directory = TemporaryDirectory()
        try FileManager.default.createDirectory(at: directory.url, withIntermediateDirectories: true)
        let hash = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        let file = try await fetch(SampleEndpoint(), with: client, to: directory.file("abc"), sha256: hash).get()
        #expect(try String(contentsOf: file, encoding: .utf8) == "abc")
    }

    @Test("A key of the session is sent, and masked in errors")
    func keys() async throws {
        try await LoopbackServer.with { routes in
            routes.fallback { request in .text("no, \(request.headers["X-Api-Key"] ?? "nothing")", status: 403) }
        } perform: { server in
            let client = NetworkClient(session: session(token: "open-sesame", key: "k-e-y"))
            let error = try #require(await client.data(for: server.call("x")).failure)
            #expect(error.response?.text == "no, k-e-y")
            #expect(server.requests.first?.headers[.authorization] == "Bearer open-sesame")
            #expect(server.requests.first?.headers[.userAgent] == "Library/1.0")
            for secret in ["open-sesame", "k-e-y"] { #expect(!everythingShown(of: error).contains(secret)) }
        }
    }
}
