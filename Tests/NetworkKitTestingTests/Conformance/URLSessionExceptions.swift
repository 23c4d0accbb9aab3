import NetworkKitTesting

/// What `URLSession` on Linux keeps `URLSessionTransport` from doing: cases of `TransportConformance`, each with the reason.
/// Documentation/Conformance.md has the same table.
enum URLSessionExceptions {
    enum Effect: String {
        case fails, waits, crashes
    }

    struct Exception {
        let name: String
        let effect: Effect
        let reason: String

        init(_ name: String, _ reason: String, _ effect: Effect = .fails) {
            self.name = name
            self.effect = effect
            self.reason = reason
        }

        /// Its line in the documentation.
        var row: String { "| `\(name)` | \(effect.rawValue) | \(reason) |" }
    }

    static let all: [Exception] = [
        // Heads
        Exception("no-reason-phrase", "The platform takes no status line without a reason phrase."),
        Exception("bare-line-feeds", "The platform takes no lines that end with a line feed alone."),
        Exception("repeated-fields", "The platform joins fields of one name, and of those that differ in case keeps one."),
        Exception("empty-fields", "The platform takes no field without a value."),
        Exception("obs-text", "The platform takes no bytes of a field that aren't UTF-8."),
        Exception("unasked-continue", "The platform takes no status line without a reason phrase."),
        Exception("large-head", "The platform joins fields of one name."),
        // Framing
        Exception("absurd-length", "A length of 2^63-1 ends the process, inside of the platform.", .crashes),
        Exception("trailers", "A field behind a chunked body ends the process, inside of the platform.", .crashes),
        Exception("trailers-apart", "A field behind a chunked body ends the process, inside of the platform.", .crashes),
        // Statuses
        Exception("every-status", "The platform keeps the body of a redirect without `Location` to itself."),
        // Codings
        Exception("gzip-truncated", "The platform decodes, and takes a stream of gzip that breaks off for a whole one."),
        Exception("unknown-coding", "The platform gives up an answer in a coding that it doesn't know."),
        Exception("own-accept-encoding", "The platform decodes whoever asked for the coding."),
        Exception("range-undecoded", "The platform decodes whoever asked for the coding."),
        // Bodies
        Exception("back-pressure", "A suspended task of the platform begins anew when it goes on, so none is suspended."),
        Exception("unknown-length", "A stream is collected before it is sent, and then has a length."),
        Exception("no-length-unasked", "The platform says a length of 0 for DELETE."),
        Exception("streamed-upload", "A stream that has nothing yet would hold up all requests, so it is collected first.", .waits),
        Exception("duplex-echo", "A stream is collected before it is sent.", .waits),
        Exception("early-answer-to-stream", "A stream is collected before it is sent.", .waits),
        Exception("early-success", "A stream is collected before it is sent.", .waits),
        // Methods and targets
        Exception("methods", "The platform writes the methods that it knows in capitals."),
        Exception("body-with-any-method", "The platform sends no GET with a body."),
        Exception("stream-with-any-method", "The platform sends no GET with a body."),
        Exception("path-as-given", "The platform takes dot segments out of a path."),
        Exception("ipv6-literal", "The platform takes no URL with the literal of an IPv6 address."),
        Exception("fields-as-given", "The platform joins fields of one name, and has an order and a case of its own."),
        Exception("nothing-added", "The platform adds `Accept`, `Accept-Language` and `User-Agent`."),
        // Redirects
        Exception("redirect-to-nowhere", "The platform keeps the body of a redirect without `Location` to itself."),
        // Connections
        Exception(
            "connection-reused",
            "What isn't idempotent or has a body goes on a new connection: on a kept one the platform sends it twice or waits for ever."),
        // Cancellation
        Exception("cancelled-while-sending", "A stream is collected before it is sent.", .waits),
        // Figures
        Exception("metrics-plausible", "The platform measures nothing, and doesn't tell the version of HTTP."),
        Exception("metrics-of-coded", "The platform counts decoded bytes only."),
        Exception("metrics-of-reuse", "The platform doesn't tell whether a connection was kept."),
        Exception("metrics-of-resending", "The platform sends a GET again by itself and doesn't tell."),
        Exception("events", "The platform doesn't tell when it is connected."),
    ]

    static func all(_ effect: Effect) -> [Exception] { all.filter { $0.effect == effect } }

    /// The reason why a case isn't passed.
    static func reason(for name: String) -> String? { all.first { $0.name == name }?.reason }
}
