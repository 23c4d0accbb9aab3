import Foundation
import NetworkKitTesting
import Testing

@testable import NetworkKit

@Suite("A cookie jar with a file")
struct CookieFileTests {
    private let folder: URL
    private let file: URL
    private let errors = Recorder<RequestError>()
    private let site = "https://example.com/"

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "networkkit-cookies-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        file = folder.appending(path: "cookies.json")
    }

    private func jar(keepsSessionCookies: Bool = false) -> CookieJar {
        CookieJar(file: file, keepsSessionCookies: keepsSessionCookies) { [errors] in errors.add($0) }
    }

    /// A file with one entry.
    private static func oneCookie(_ name: String, _ value: String) -> String {
        """
        {"format": "NetworkKit cookies", "version": 1, "cookies": [{"name": "\(name)", "value": "\(value)", "domain": "example.com",
        "path": "/", "hostOnly": true, "secure": false, "httpOnly": false, "created": 0, "lastAccess": 0}]}
        """
    }

    private static let damagedFiles: [String] = [
        "", "not JSON", "[]", "{}", #"{"format": "NetworkKit cookies", "version": 1"#, "\u{0}\u{0}\u{0}",
        #"{"format": "something else", "version": 1, "cookies": []}"#, #"{"format": "NetworkKit cookies", "version": 1, "cookies": [{}]}"#,
        oneCookie("a", #"opensesame\r\nX: y"#), oneCookie("__Host-a", "opensesame"), oneCookie("", ""),
        String(repeating: "[", count: 100_000),
    ]

    private var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
    }

    private func fileReason(_ error: RequestError?) -> String {
        if case .file(let details) = error { details.reason } else { "no file error: \(String(describing: error))" }
    }

    @Test("Cookies outlive the jar, with all that is known of them, and session cookies don't")
    func roundTrip() async throws {
        let first = jar()
        first.store(
            "a=ä\"1\"; Max-Age=100; Secure; HttpOnly; SameSite=Lax; Domain=example.com; Path=/x", "b=2; Max-Age=50", "session=3",
            from: site)
        try await first.save()
        let second = jar()
        #expect(second.all.isEmpty)
        try await second.load(at: .start)
        #expect(second.all == first.all.filter { $0.name != "session" })
        #expect(second.sent(to: "https://www.example.com/x") == "a=ä\"1\"")
        #expect(try names == ["cookies.json"] && errors.values.isEmpty)
        try FileManager.default.removeItem(at: folder)
    }

    @Test("Session cookies are kept by option")
    func sessionCookies() async throws {
        let first = jar(keepsSessionCookies: true)
        first.store("session=3", from: site)
        try await first.save()
        let second = jar(keepsSessionCookies: true)
        try await second.load(at: .start)
        #expect(second.sent(to: site) == "session=3")
        try FileManager.default.removeItem(at: folder)
    }

    @Test("Only the owner may read the file, whoever might read the one before")
    func permissions() async throws {
        try Data(#"{"format": "NetworkKit cookies", "version": 1, "cookies": []}"#.utf8).write(to: file)
        chmod(file.path, 0o644)
        let jar = jar()
        jar.store("a=1; Max-Age=100", from: site)
        try await jar.save()
        let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        try FileManager.default.removeItem(at: folder)
    }

    @Test("Ended cookies are dropped when the file is read")
    func ended() async throws {
        let first = jar()
        first.store("a=1; Max-Age=10", "b=2; Max-Age=100", from: site)
        try await first.save()
        let second = jar()
        try await second.load(at: Date.start.addingTimeInterval(11))
        #expect(second.all.map(\.name) == ["b"])
        try FileManager.default.removeItem(at: folder)
    }

    @Test("The format is the documented one")
    func format() async throws {
        let text = """
            {"format": "NetworkKit cookies", "version": 1, "extra": true, "cookies": [
              {"name": "sid", "value": "v", "domain": "example.com", "path": "/", "hostOnly": true, "secure": true, "httpOnly": true,
               "sameSite": "lax", "expires": 1767225700, "created": 1767139200, "lastAccess": 1767139201, "later": {}},
              {"name": "", "value": "w", "domain": "example.com", "path": "/", "hostOnly": false, "secure": false, "httpOnly": false,
               "expires": 1767225700, "created": 1767139200, "lastAccess": 1767139201}]}
            """
        try Data(text.utf8).write(to: file)
        let jar = jar()
        try await jar.load(at: .start)
        #expect(jar.sent(to: site) == "sid=v; w")
        let first = try #require(jar.all.first)
        #expect(first.isHostOnly && first.isSecure && first.isHTTPOnly && first.sameSite == .lax)
        #expect(first.created == Date(timeIntervalSince1970: 1_767_139_200))
        try FileManager.default.removeItem(at: folder)
    }

    @Test(
        "A damaged file is kept under another name and told, and the jar begins empty",
        arguments: damagedFiles)
    func damaged(text: String) async throws {
        try Data(text.utf8).write(to: file)
        let jar = jar()
        let error = await failure { () async throws(RequestError) in try await jar.load(at: .start) }
        #expect(fileReason(error).contains("damaged") && fileReason(error).contains("cookies.json.damaged"))
        #expect(!"\(error as Any)".contains("opensesame"))
        #expect(try Data(contentsOf: folder.appending(path: "cookies.json.damaged")) == Data(text.utf8))
        jar.store("a=1; Max-Age=100", from: site)
        try await jar.save()
        // The next damage doesn't take the place of the first.
        try Data("more".utf8).write(to: file)
        _ = await failure { () async throws(RequestError) in try await self.jar().load(at: .start) }
        #expect(try names == ["cookies.json.damaged", "cookies.json.damaged-2"])
        try FileManager.default.removeItem(at: folder)
    }

    @Test("Damage that a save meets is told, and what was to be saved is saved")
    func damageAtSaving() async throws {
        try Data("damaged".utf8).write(to: file)
        let first = jar()
        first.store("a=1; Max-Age=100", from: site)
        try await first.load(at: .start)
        #expect(fileReason(errors.values.first).contains("damaged") && errors.values.count == 1)
        let second = jar()
        try await second.load(at: .start)
        #expect(second.sent(to: site) == "a=1")
        #expect(try names == ["cookies.json", "cookies.json.damaged"])
        try FileManager.default.removeItem(at: folder)
    }

    @Test("A file of a later version is left alone")
    func laterVersion() async throws {
        let text = #"{"format": "NetworkKit cookies", "version": 2, "cookies": "encrypted"}"#
        try Data(text.utf8).write(to: file)
        let jar = jar()
        jar.store("a=1; Max-Age=100", from: site)
        let error = await failure { () async throws(RequestError) in try await jar.save() }
        #expect(fileReason(error).contains("version 2"))
        #expect(try Data(contentsOf: file) == Data(text.utf8))
        #expect(try names == ["cookies.json"] && jar.sent(to: site) == "a=1")
        try FileManager.default.removeItem(at: folder)
    }

    @Test("A folder that isn't there is an error that names it, and the jar works in memory until it is there")
    func noFolder() async throws {
        try FileManager.default.removeItem(at: folder)
        let jar = jar()
        let error = await failure { () async throws(RequestError) in try await jar.load(at: .start) }
        #expect(fileReason(error).contains(folder.path))
        jar.store("a=1; Max-Age=100", from: site)
        #expect(jar.sent(to: site) == "a=1")
        let second = await failure { () async throws(RequestError) in try await jar.save() }
        #expect(fileReason(second).contains(folder.path))
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try await jar.save()
        #expect(try names == ["cookies.json"])
        try FileManager.default.removeItem(at: folder)
    }

    @Test("What isn't a file is an error, and stays")
    func noFile() async throws {
        try FileManager.default.createDirectory(at: file, withIntermediateDirectories: true)
        let jar = jar()
        let error = await failure { () async throws(RequestError) in try await jar.load(at: .start) }
        #expect(fileReason(error).contains("not a regular file"))
        let second = await failure { () async throws(RequestError) in try await jar.save() }
        #expect(fileReason(second).contains("not a regular file"))
        #expect(try names == ["cookies.json"])
        try FileManager.default.removeItem(at: folder)
    }

    @Test("A URL that isn't a file's is an error, and nothing is written")
    func foreignURL() async throws {
        let place = file.path
        let jar = CookieJar(file: url("https://example.com" + place))
        let error = await failure { () async throws(RequestError) in try await jar.save() }
        #expect(fileReason(error).contains("is not the URL of a file"))
        #expect(try names == [])
        try FileManager.default.removeItem(at: folder)
    }

    @Test("A disk that doesn't answer holds no call up past its deadline")
    func stalledDisk() async throws {
        let jar = jar()
        let answer = Semaphore()
        jar.lane.add { answer.wait() }
        let clock = TestClock()
        let session = HTTPSession(
            transport: StubTransport(.status(200)), interceptors: [.cookies(jar)], defaults: .init(deadline: .seconds(5)), clock: clock)
        async let outcome = NetworkClient(session: session).data(for: SampleEndpoint())
        await clock.advance(through: .seconds(5))
        let error = await outcome.failure
        answer.signal()
        guard case .timedOut = error else { throw error ?? .unknown() }
        try FileManager.default.removeItem(at: folder)
    }

    @Test("Changes are saved by themselves, in order, and the last is what is in the file")
    func savesItself() async throws {
        let jar = jar()
        for index in 0..<200 { jar.store("a=\(index); Max-Age=100", from: site) }
        // Behind what has been asked for, on the same lane.
        try await jar.load(at: .start)
        let second = self.jar()
        try await second.load(at: .start)
        #expect(second.sent(to: site) == "a=199")
        #expect(try names == ["cookies.json"] && errors.values.isEmpty)
        try FileManager.default.removeItem(at: folder)
    }

    @Test("Nothing is written for session cookies, nor for sending")
    func nothingToSave() async throws {
        let jar = jar()
        jar.store("session=1", from: site)
        _ = jar.sent(to: site)
        try await jar.load(at: .start)
        #expect(try names == [])
        try FileManager.default.removeItem(at: folder)
    }

    @Test("A save that nobody waits for tells its error")
    func failedSave() async throws {
        try FileManager.default.removeItem(at: folder)
        let jar = jar()
        jar.store("a=1; Max-Age=100", from: site)
        _ = await failure { () async throws(RequestError) in try await jar.load(at: .start) }
        #expect(errors.values.count == 1 && fileReason(errors.values.first).contains(folder.path))
    }

    @Test("What came before the file was read wins over it, and what was removed is gone from it")
    func beforeReading() async throws {
        let first = jar()
        first.store("a=old; Max-Age=100", "b=old; Max-Age=100", "c=old; Max-Age=100", from: site)
        try await first.save()
        let second = jar()
        second.remove { $0.name == "b" }
        second.store("a=new; Max-Age=100", from: site)
        try await second.save()
        #expect(second.sent(to: site) == "a=new; c=old")
        let third = jar()
        third.removeAll()
        try await third.load(at: .start)
        #expect(third.all.isEmpty)
        let fourth = jar()
        try await fourth.load(at: .start)
        #expect(fourth.all.isEmpty)
        try FileManager.default.removeItem(at: folder)
    }

    @Test("A cookie that a server ended before the file was read doesn't come back from it")
    func endedBeforeReading() async throws {
        let first = jar()
        first.store("a=old; Max-Age=100", "b=old; Max-Age=100", "c=old; Max-Age=100", "s=old; Max-Age=100; Secure", from: site)
        try await first.save()
        let second = jar()
        // What is stored asks for a save, which reads the file: not before all of it is there.
        let all = Semaphore()
        second.lane.add { all.wait() }
        second.store("a=; Max-Age=0", "b=; Max-Age=0", "c=; Max-Age=0; Path=/other", from: site)
        second.store("b=new; Max-Age=100", from: site)
        // Over http a Secure cookie can't be ended.
        second.store("s=; Max-Age=0", from: "http://example.com/")
        all.signal()
        try await second.load(at: .start)
        #expect(second.sent(to: site) == "c=old; s=old; b=new")
        #expect(second.all.map(\.name) == ["c", "s", "b"])
        // The file has been told as well, with nothing else to be saved.
        let third = jar()
        third.store("c=; Max-Age=0", from: site)
        try await third.load(at: .start)
        let fourth = jar()
        try await fourth.load(at: .start)
        #expect(fourth.sent(to: site) == "s=old; b=new")
        try FileManager.default.removeItem(at: folder)
    }

    @Test("The file is read before the first request, once, whatever becomes of it")
    func firstRequest() async throws {
        let first = jar()
        first.store("a=1; Max-Age=100", from: site)
        try await first.save()
        let stub = StubTransport(.status(200))
        let session = HTTPSession(transport: stub, interceptors: [.cookies(jar())], clock: TestClock())
        let client = NetworkClient(session: session)
        async let one = client.data(for: SampleEndpoint(baseURL: url(site)))
        async let two = client.data(for: SampleEndpoint(baseURL: url(site)))
        _ = try await (one.get(), two.get())
        #expect(stub.requests.map { $0.headers[.cookie] } == ["a=1", "a=1"])

        try Data("damaged".utf8).write(to: file)
        let broken = HTTPSession(transport: stub, interceptors: [.cookies(jar())], clock: TestClock())
        for _ in 0..<2 { _ = try await NetworkClient(session: broken).data(for: SampleEndpoint(baseURL: url(site))).get() }
        #expect(errors.values.count == 1 && fileReason(errors.values.first).contains("damaged"))
        try FileManager.default.removeItem(at: folder)
    }
}
