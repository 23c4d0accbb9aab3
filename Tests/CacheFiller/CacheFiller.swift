// A program that fills a cache's directory until it is killed, for the test that kills it.
//
//     CacheFiller DIRECTORY CAPACITY
//
// It asks for the pages 0 to 39 of a site that it makes up itself: answers of 0 to 400 KB that hold what they should be, some to be
// validated at each use, and now and then it posts to a page, so that all that changes files goes on at once.

import NetworkKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

struct Page: Endpoint {
    var number: Int
    var method: any RequestMethod = .get
    let baseURL: URL
    var path: Path { "\(number)" }
}

/// A site whose pages change all the time.
struct Site: Transport {
    func send(_ request: HTTPRequest) async throws(RequestError) -> HTTPResponse {
        var head = ResponseHead(status: 200, url: request.url)
        if request.headers.contains(.ifNoneMatch), Bool.random() {
            head.status = 304
            head.headers = ["Cache-Control": "no-cache", "X-Validated": String(repeating: "v", count: .random(in: 0...400))]
            return HTTPResponse(head: head, body: .empty)
        }
        let byte = UInt8.random(in: 0...255)
        let count = Bool.random() ? Int.random(in: 0...3000) : Int.random(in: 0...400_000)
        head.headers = [
            "Cache-Control": Bool.random() ? "no-cache" : "max-age=1", "ETag": "\"\(byte)-\(count)\"", "X-Byte": "\(byte)",
            "X-Count": "\(count)",
        ]
        return HTTPResponse(head: head, body: ResponseBody(Data(repeating: byte, count: count)))
    }
}

@main
struct CacheFiller {
    struct Refusal: Error {}

    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 3, let capacity = Int(arguments[2]), let site = URL(string: "https://site.test") else { throw Refusal() }
        let cache = HTTPCache(directory: URL(filePath: arguments[1]), capacity: capacity) { print($0) }
        // Who can't write tests nothing.
        guard await !cache.isReadOnly else { throw Refusal() }
        let client = NetworkClient(session: HTTPSession(transport: Site(), interceptors: [.cache(cache)]))
        await withTaskGroup { group in
            for _ in 0..<4 {
                group.addTask {
                    while true {
                        let method: HTTPMethod = Int.random(in: 0..<20) == 0 ? .post : .get
                        _ = await client.data(for: Page(number: .random(in: 0..<40), method: method, baseURL: site))
                    }
                }
            }
        }
    }
}
