#if canImport(CCurl)
internal import CCurl
internal import PlatformBase

/// A request in the form that libcurl takes, made on its caller's thread, so that the loop has less to do for each.
final class CurlRequest: @unchecked Sendable {
    // Nothing is written after `init`; libcurl only reads the list, on the loop's thread. The memory goes with the last reference,
    // which the job that uses it holds.

    /// How libcurl is to be told of method and body.
    enum Shape {
        case get
        case head
        /// Another method, without a body.
        case bodyless(String)
        /// A body, or the saying that there is none (RFC 9110 §8.6); the length is -1 for one that isn't known.
        case upload(String, length: Int64)
    }

    /// The URL without its fragment.
    let url: String
    let shape: Shape
    /// The field lines: the request's, and none of libcurl's own making.
    let fields: UnsafeMutablePointer<curl_slist>?

    private let nodes: UnsafeMutableBufferPointer<curl_slist>
    private let text: UnsafeMutableBufferPointer<CChar>

    /// - Parameter request: checked.
    init(_ request: HTTPRequest) {
        let whole = request.url.absoluteString
        url = whole.utf8.firstIndex(of: UInt8(ascii: "#")).map { String(whole[..<$0]) } ?? whole
        shape = Self.shape(of: request)
        let lines = Self.lines(of: request)
        nodes = .allocate(capacity: lines.count)
        text = .allocate(capacity: lines.reduce(0) { $0 + $1.utf8.count + 1 })
        fields = Self.link(lines, nodes, text)
    }

    deinit {
        nodes.deallocate()
        text.deallocate()
    }

    /// `PUT`, `POST` and `PATCH` say `Content-Length: 0` where they have no body.
    private static func shape(of request: HTTPRequest) -> Shape {
        let name = request.method.name
        if let body = request.body { return .upload(name, length: body.length ?? -1) }
        return switch request.method {
        case .post, .put, .patch: .upload(name, length: 0)
        case .get: .get
        case .head: .head
        default: .bodyless(name)
        }
    }

    private static func lines(of request: HTTPRequest) -> [String] {
        var lines: [String] = []
        lines.reserveCapacity(request.headers.count + 4)
        var (accept, contentType, expect) = (false, false, false)
        for field in request.headers {
            accept = accept || field.name == .accept
            contentType = contentType || field.name == .contentType
            expect = expect || field.name == .expect
            let value = field.value.trimmingSpaces()
            // Each in libcurl's way: a field without a value ends in a semicolon, and one that isn't to be sent in a colon.
            lines.append(value.isEmpty ? "\(field.name);" : field.name.rawName + ": " + value)
        }
        if !accept { lines.append("Accept:") }
        if !contentType { lines.append("Content-Type:") }
        if !expect { lines.append("Expect:") }
        if ContentCoding.isOurs(request) { lines.append(ContentCoding.field) }
        return lines
    }

    /// The lines as a list of libcurl's, in two pieces of memory.
    private static func link(
        _ lines: [String], _ nodes: UnsafeMutableBufferPointer<curl_slist>, _ text: UnsafeMutableBufferPointer<CChar>
    ) -> UnsafeMutablePointer<curl_slist>? {
        guard let first = nodes.baseAddress, var end = text.baseAddress else { return nil }
        for (index, line) in lines.enumerated() {
            let start = end
            for byte in line.utf8 {
                end.initialize(to: CChar(bitPattern: byte))
                end += 1
            }
            end.initialize(to: 0)
            end += 1
            let next = index + 1 < lines.count ? first + index + 1 : nil
            (first + index).initialize(to: curl_slist(data: start, next: next))
        }
        return first
    }
}
#endif
