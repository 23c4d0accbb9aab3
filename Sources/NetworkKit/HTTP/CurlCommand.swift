internal import PlatformBase

extension HTTPRequest {
    /// A command line of curl for a POSIX shell that sends the same request: method, URL, fields and body to the byte. It says nothing
    /// of what the session and its transport add, such as cookies, redirects and proxies.
    ///
    /// ```swift
    /// print(try HTTPRequest(TopRated()).curlCommand())
    /// // curl --globoff --path-as-is --compressed 'https://api.themoviedb.org/3/movie/top_rated?page=1' --header 'Accept: …'
    /// ```
    ///
    /// A body that is a stream isn't read: the command takes it from its standard input. One that is a file is named.
    ///
    /// - Parameters:
    ///   - showsSecrets: whether secrets stand in it. Without them the command is fit for a log, and the places to fill in say `***`.
    ///   - bodyFile: the path of a file that holds the body, to be named in place of the body.
    /// - Throws: what ``checked()`` throws of a request that couldn't be sent.
    public func curlCommand(showsSecrets: Bool = false, bodyFile: String? = nil) throws(RequestError) -> String {
        let request = try checked()
        return CurlCommand(request, secrets: showsSecrets ? SecretValues() : request.allSecrets, showsSecrets, bodyFile: bodyFile).text
    }
}

/// The words of a command line of curl.
private struct CurlCommand {
    private var words: [String] = []
    /// What must run in front of it to give it its standard input.
    private var feeder = ""
    private let secrets: SecretValues

    var text: String { (feeder.isEmpty ? "" : feeder + " | ") + "curl " + words.joined(separator: " ") }

    /// - Parameter request: checked.
    init(_ request: HTTPRequest, secrets: SecretValues, _ showsSecrets: Bool, bodyFile: String?) {
        self.secrets = secrets
        // Brackets and braces stand for themselves, and so do dot segments.
        words = ["--globoff", "--path-as-is"]
        if !request.headers.contains(.acceptEncoding) && !request.headers.contains(.range) { words.append("--compressed") }
        let url = request.url.absoluteString
        words.append(ShellQuoting.word(secrets.masking(String(url.prefix { $0 != "#" }))))
        addMethod(of: request)
        addFields(of: request, showsSecrets)
        if let body = request.body { add(body, file: bodyFile ?? body.file) }
    }

    private mutating func addMethod(of request: HTTPRequest) {
        switch (request.method.name, request.body == nil) {
        case ("GET", true), ("POST", false): break
        case ("HEAD", _): words.append("--head")
        case (let name, let isBodyless):
            words += ["--request", ShellQuoting.word(name)]
            // These say that they have no body (RFC 9110 §8.6).
            if isBodyless, ["POST", "PUT", "PATCH"].contains(name) { words += ["--data-raw", "''"] }
        }
    }

    private mutating func addFields(of request: HTTPRequest, _ showsSecrets: Bool) {
        for field in request.headers {
            let value = field.value.trimmingSpaces()
            let shown = field.isSecret && !showsSecrets ? SecretValues.mask : secrets.masking(value)
            // A field without a value ends in a semicolon; in a colon, it would be one that isn't to be sent.
            add(field: shown.isEmpty ? "\(field.name);" : "\(field.name): \(shown)")
        }
        let headers = request.headers
        for name in [HTTPField.Name.userAgent, .accept] where !headers.contains(name) { add(field: "\(name):") }
        guard request.body != nil || ["POST", "PUT", "PATCH"].contains(request.method.name) else { return }
        for name in [HTTPField.Name.contentType, .expect] where !headers.contains(name) { add(field: "\(name):") }
        if let body = request.body, body.length == nil { add(field: "Transfer-Encoding: chunked") }
    }

    private mutating func add(field: String) { words += ["--header", ShellQuoting.word(field)] }

    /// What one word of a command may have, with room to spare: Linux takes 128 KiB.
    private static let longestWord = 64 * 1024

    private mutating func add(_ body: RequestBody, file: String?) {
        switch body.content {
        case _ where file != nil: words += ["--data-binary", ShellQuoting.word("@" + (file ?? ""))]
        case .data(let data):
            let data = secrets.masking(data)
            if data.count <= Self.longestWord, !data.contains(0), let text = String(validating: data, as: UTF8.self) {
                words += ["--data-raw", ShellQuoting.word(text)]
            } else {
                // No word can hold a NUL, nor so many bytes.
                feeder = ShellQuoting.printf(data)
                words += ["--data-binary", "@-"]
            }
        case .chunks, .file, .value, .deferred, .invalid: words += ["--data-binary", "@-"]
        }
    }
}

/// How any text becomes one word of a POSIX shell (XCU §2.2).
enum ShellQuoting {
    /// The text in single quotes, in which everything stands for itself but the single quote.
    static func word(_ text: String) -> String {
        // By bytes: a quote with a combining mark behind it is a quote all the same.
        var bytes = [UInt8(ascii: "'")]
        for byte in text.utf8 {
            if byte == UInt8(ascii: "'") { bytes += Array("'\\''".utf8) } else { bytes.append(byte) }
        }
        return String(decoding: bytes + [UInt8(ascii: "'")], as: UTF8.self)
    }

    /// A command that writes any bytes.
    static func printf(_ data: Data) -> String {
        var text = "printf '"
        for byte in data {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                UInt8(ascii: " "), UInt8(ascii: ","), UInt8(ascii: "."), UInt8(ascii: ":"), UInt8(ascii: "{"), UInt8(ascii: "}"),
                UInt8(ascii: "\""), UInt8(ascii: "="), UInt8(ascii: "*"):
                text.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = String(byte, radix: 8)
                text += "\\" + String(repeating: "0", count: 3 - digits.count) + digits
            }
        }
        return text + "'"
    }
}
