import Testing

@testable import NetworkKit

@Suite("Methods")
struct HTTPMethodTests {
    @Test(
        "The standard methods are safe and idempotent as RFC 9110 §9.2 says",
        arguments: [
            (.get, "GET", true, true), (.head, "HEAD", true, true), (.post, "POST", false, false), (.put, "PUT", false, true),
            (.patch, "PATCH", false, false), (.delete, "DELETE", false, true), (.options, "OPTIONS", true, true),
            (.trace, "TRACE", true, true), (.query, "QUERY", true, true),
        ] as [(HTTPMethod, String, Bool, Bool)])
    func standard(method: HTTPMethod, name: String, isSafe: Bool, isIdempotent: Bool) throws {
        #expect(method.name == name && "\(method)" == name)
        #expect(method.isSafe == isSafe && method.isIdempotent == isIdempotent)
        let named = try HTTPMethod(name: name)
        #expect(named == method && named.isIdempotent == isIdempotent)
    }

    @Test("A method of one's own keeps what it says of itself, and is known by its name")
    func ownMethods() throws {
        struct Purge: RequestMethod {
            let name = "PURGE"
            let isIdempotent = true
        }
        struct PlainHead: RequestMethod { let name = "HEAD" }
        let purge = try HTTPMethod(Purge())
        #expect(purge.isIdempotent && !purge.isSafe)
        #expect(try purge == HTTPMethod(name: "PURGE"))
        #expect(try HTTPMethod(PlainHead()) == .head)
        #expect(try HTTPMethod(name: "get") != .get)
    }

    @Test("A name that is no token is refused", arguments: ["", " ", "A B", "A\r\n", "A:", "Ä", "CONNECT"])
    func invalid(name: String) {
        #expect(failure { () throws(RequestError) in try HTTPMethod(name: name) }?.encodePart == .method)
    }

    @Test("Every standard method can be written where any method is expected")
    func literals() {
        let methods: [any RequestMethod] = [.get, .head, .post, .put, .patch, .delete, .options, .trace, .query]
        #expect(methods.map(\.name) == ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "QUERY"])
    }
}
