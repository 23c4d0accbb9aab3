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

func openAgain(_ library: Library, staging: URL) async throws(RequestError) {
    let fresh = try await library.send(SearchBooks(title: "Dune").with { $0.cachePolicy = .reload }).get()
    let staged = try await library.send(SearchBooks(title: "Dune").with(baseURL: staging)).get()
    show(fresh + staged)
}

func snakeCaseSession() -> HTTPSession {
    let decoder = JSONDecoder.json  // a new one each time; a bare JSONDecoder() reads dates as numbers
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    return HTTPSession(decoder: decoder)
}

struct AddCover: LibraryEndpoint, ResponseEndpoint {
    typealias Response = Book
    var id: Int
    var image: URL
    var path: Path { "books/\(id)/cover" }
    var method: any RequestMethod { .post }
    var body: RequestBody? {
        .multipart([.text("kind", "front"), .file("image", image, contentType: "image/jpeg")])
    }
    var options: RequestOptions { .init(deadline: .seconds(3600)) }
}

func add(_ cover: AddCover, to library: Library) async -> Result<Book, RequestError> {
    let progress = ProgressMonitor()
    async let book = library.send(cover.with { $0.progress = progress })
    for await step in progress.updates { print(step.upload.fraction ?? 0, step.download.completed) }  // ends with the call
    return await book
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

func keyedSession(key: String, api: URL) -> HTTPSession {
    .standard(authentication: .authentication(.apiKey(key, header: "X-Api-Key").for(api)))
}

func signedInSession(_ stored: AccessToken?, api: URL, keep: @escaping @Sendable (AccessToken) async -> Void) -> HTTPSession {
    let signIn = NetworkClient()  // a client without this credential
    let credential = Credential.refreshing(stored, save: keep) { old in
        let grant = try await signIn.send(RenewToken(refreshToken: old?.refreshToken)).get()
        return AccessToken(grant.access, expires: grant.expires, refreshToken: grant.refresh)
    }
    return .standard(authentication: .authentication(credential.for(api)))
}

struct AllBooks: LibraryEndpoint, NumberedPageEndpoint {
    typealias Response = BookPage
    var page = 1
    var path: Path { "books" }
    var query: Query { ["page": page] }
    func pageCount(_ page: BookPage) -> Int? { page.pages }
}

func listBooks(in library: Library) async throws(RequestError) {
    for try await book in library.items(AllBooks(), \.books, limit: 200) { show(book) }
}

func tell(of error: RequestError) {
    if let wait = error.retryAfter { show("Try again in \(wait.components.seconds) s.") }
    if let problem = try? error.response?.decoded(as: LibraryProblem.self) { show(problem.message) }
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

func corporateSession() throws(RequestError) -> HTTPSession {
    let tls = TLSOptions(
        authorityFile: "/etc/ssl/corporate.pem",
        pins: [
            "sha256//fI5iwM32uymhM1+UYyH/z56HMkjAOjJ3RXGWoJ9Iv0o=", "sha256//FAEHAQvP5Uvc4IJfStMf0Cpr+3xwTbKXzUmxcRnMp9Q=",
        ])
    return HTTPSession(transport: try .connecting(tls: tls))
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
struct BookPage: Decodable, Sendable { var books: [Book], pages: Int }
struct LibraryProblem: Decodable { var message: String }
struct Grant: Decodable, Sendable { var access: String, refresh: String, expires: Date }
struct RenewToken: LibraryEndpoint, ResponseEndpoint {
    typealias Response = Grant
    var refreshToken: String?
    var path: Path { "token" }
    var method: any RequestMethod { .post }
    var body: RequestBody? { .form(["refresh_token": .secret(refreshToken)]) }
}
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
        _ = timedSession
        #expect(failure { () throws(RequestError) in try corporateSession() }?.connectionKind == .tls)  // it has no such file
    }

    @Test("A call is made otherwise for once, its answers are read by another decoder, and its pages follow one another")
    func otherwise() async throws {
        let stub = StubTransport(.json(#"[{"title": "Dune"}]"#))
        try await openAgain(Library(session: HTTPSession(transport: stub)), staging: url("https://staging.test/v2"))
        #expect(
            stub.requests.map { $0.request.url.absoluteString } == [
                "https://library.example/v1/books?title=Dune", "https://staging.test/v2/books?title=Dune",
            ])
        #expect(stub.requests.map { $0.request.options.cachePolicy } == [.reload, nil])
        let paged = StubTransport { $0.get("v1/books") { .json(#"{"books": [{"title": "\#($0.query("page") ?? "")"}], "pages": 3}"#) } }
        try await listBooks(in: Library(session: HTTPSession(transport: paged)))
        #expect(paged.requests.count == 3)
        struct Dated: Decodable, Sendable { var firstDay: Date }
        try await LoopbackServer.with { routes in
            routes.fallback { _ in .json(#"{"first_day": "2026-03-01T12:00:00Z"}"#) }
        } perform: { server in
            let client = NetworkClient(session: snakeCaseSession())
            let dated = try await client.sendRequest(endpoint: server.call("x"), responseModel: Dated.self).get()
            #expect(dated.firstDay.timeIntervalSince1970 == 1_772_366_400)
        }
    }

    @Test("A key goes to its own API and no other; a token is renewed; a failure says when to come back, and why")
    func credentials() async throws {
        try await LoopbackServer.with { routes in
            routes.fallback { _ in .text("ok") }
        } perform: { server in
            let other = url("https://library.example")
            for api in [server.baseURL, other] {
                _ = await NetworkClient(session: keyedSession(key: "k-e-y", api: api)).data(for: server.call("a"))
                _ = await NetworkClient(session: signedInSession(AccessToken("t-o-k"), api: api) { _ in }).data(for: server.call("b"))
            }
            #expect(server.requests.map { $0.headers["X-Api-Key"] } == ["k-e-y", nil, nil, nil])
            #expect(server.requests.map { $0.headers[.authorization] }.prefix(3) == [nil, "Bearer t-o-k", nil])
        }
        let client = NetworkClient(session: .stubbed(.json(#"{"message": "closed"}"#, status: 503, headers: ["Retry-After": "7"])))
        let error = try #require(await client.data(for: SampleEndpoint()).failure)
        #expect(error.retryAfter == .seconds(7))
        #expect(try error.response?.decoded(as: LibraryProblem.self).message == "closed")
        tell(of: error)
    }

    @Test("A file is downloaded, and an upload is followed, as the text says")
    func transfers() async throws {
        let client = NetworkClient(session: .stubbed(.text("abc")))
        let directory = TemporaryDirectory()
        try FileManager.default.createDirectory(at: directory.url, withIntermediateDirectories: true)
        let hash = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        let file = try await fetch(SampleEndpoint(), with: client, to: directory.file("abc"), sha256: hash).get()
        #expect(try String(contentsOf: file, encoding: .utf8) == "abc")

        let stub = StubTransport(.json(#"{"title": "Dune"}"#))
        let library = Library(session: HTTPSession(transport: stub))
        #expect(try await add(AddCover(id: 7, image: file), to: library).get().title == "Dune")
        #expect(stub.requests.first?.text.contains(#"name="image"; filename="abc""#) == true)
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
