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

    /// Whether method and body are what libcurl sends unless it is told otherwise.
    var isPlainGet: Bool {
        if case .get = shape { true } else { false }
    }

    /// Whether it has a body of more bytes, or may have.
    func hasBody(longerThan count: Int) -> Bool {
        if case .upload(_, let length) = shape { length < 0 || length > count } else { false }
    }

    /// The URL without its fragment.
    let url: String
    let shape: Shape
    /// For how many milliseconds the body waits for the server to ask for it; `nil` when it doesn't.
    let continueWait: Int?
    /// The field lines: the request's, and none of libcurl's own making.
    let fields: UnsafeMutablePointer<curl_slist>?

    private let memory: UnsafeMutableRawPointer

    /// - Parameter request: checked.
    init(_ request: HTTPRequest) {
        let whole = request.url.absoluteString
        url = whole.utf8.firstIndex(of: UInt8(ascii: "#")).map { String(whole[..<$0]) } ?? whole
        shape = Self.shape(of: request)
        continueWait = request.continueWait.map { Int(min($0, .seconds(1_000_000)) / .milliseconds(1)) }
        var list = FieldList(of: request)
        memory = list.memory
        for field in request.headers { list.append(field) }
        for line in Self.ownLines(for: request, shape) { list.append(line) }
        fields = list.first
    }

    deinit { memory.deallocate() }

    /// What keeps libcurl from adding fields of its own, and the codings that are decoded here.
    private static func ownLines(for request: HTTPRequest, _ shape: Shape) -> [StaticString] {
        let headers = request.headers
        var lines: [StaticString] = []
        if !request.hasPlainFields, !headers.contains(.accept) { lines.append("Accept:") }
        if case .upload = shape {
            // Only a request with a body gets these from libcurl.
            if !headers.contains(.contentType) { lines.append("Content-Type:") }
            if !headers.contains(.expect) { lines.append("Expect:") }
        }
        if ContentCoding.isOurs(request) { lines.append(ContentCoding.field) }
        return lines
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
}

/// The field lines as a list of libcurl's, in one piece of memory: first the list's nodes, then the text.
private struct FieldList {
    let memory: UnsafeMutableRawPointer
    private(set) var first: UnsafeMutablePointer<curl_slist>?

    private var last: UnsafeMutablePointer<curl_slist>?
    private var node: UnsafeMutablePointer<curl_slist>
    private var text: UnsafeMutablePointer<CChar>

    /// Lines of the library's own, and the longest of them.
    private static let ownLines = (count: 4, length: 64)

    /// Room for the fields of a request and the library's own lines.
    init(of request: HTTPRequest) {
        var count = Self.ownLines.count
        var length = Self.ownLines.count * Self.ownLines.length
        for field in request.headers {
            count += 1
            // Colon and space, or semicolon; and the zero at the end.
            length += field.name.rawName.utf8.count + field.value.utf8.count + 3
        }
        let nodes = count * MemoryLayout<curl_slist>.stride
        memory = .allocate(byteCount: nodes + length, alignment: MemoryLayout<curl_slist>.alignment)
        node = memory.bindMemory(to: curl_slist.self, capacity: count)
        text = (memory + nodes).bindMemory(to: CChar.self, capacity: length)
    }

    /// Each in libcurl's way: a field without a value ends in a semicolon.
    mutating func append(_ field: HTTPField) {
        link()
        write(field.name.rawName.utf8)
        let value = field.value.trimmingSpaces()
        if value.isEmpty {
            write(CollectionOfOne(UInt8(ascii: ";")))
        } else {
            write(CollectionOfOne(UInt8(ascii: ":")))
            write(CollectionOfOne(UInt8(ascii: " ")))
            write(value.utf8)
        }
        end()
    }

    /// A line as it is written. One that ends in a colon keeps libcurl from sending the field.
    mutating func append(_ line: StaticString) {
        link()
        line.withUTF8Buffer { write($0) }
        end()
    }

    private mutating func link() {
        node.initialize(to: curl_slist(data: text, next: nil))
        if let last { last.pointee.next = node } else { first = node }
        last = node
        node += 1
    }

    private mutating func write(_ bytes: some Collection<UInt8>) {
        for byte in bytes {
            text.initialize(to: CChar(bitPattern: byte))
            text += 1
        }
    }

    private mutating func end() {
        text.initialize(to: 0)
        text += 1
    }
}
#endif
