public import NetworkKit

/// What `--verbose` shows of each call, on standard error: the request with its secrets masked, the status, and what it cost.
public struct CallLog: Sendable {
    private let console: Console

    /// A log.
    public init(_ console: Console) { self.console = console }

    /// Writes one line about a call, or for a failure what the library says of it.
    public func record<Value>(_ endpoint: some Endpoint, _ result: Result<Reply<Value>, RequestError>) {
        switch result {
        case .success(let reply):
            console.note("\(Self.line(endpoint)) → \(reply.head.status), \(Self.cost(reply.metrics))")
        case .failure(let error):
            // It names the request itself, and masks its secrets.
            console.note(TextLayout.printable(error.description))
        }
    }

    /// Method and URL. The request's description masks what the endpoint marks as secret, in the path too.
    static func line(_ endpoint: some Endpoint) -> String {
        guard let request = try? HTTPRequest(endpoint) else { return "\(endpoint.method.name) (no URL)" }
        return request.description.split(separator: "\n").first.map(String.init) ?? ""
    }

    /// The figures: `HTTP/1.1, new connection after 0.4 ms, first byte 3.2 ms, total 3.9 ms, 1,842 bytes`.
    static func cost(_ metrics: RequestMetrics) -> String {
        var parts: [String] = []
        if let version = metrics.version { parts.append("\(version)") }
        if metrics.isConnectionReused {
            parts.append("kept connection")
        } else if let connect = metrics.tls ?? metrics.connect {
            parts.append("connected after \(milliseconds(connect))")
        }
        if let firstByte = metrics.firstByte { parts.append("first byte after \(milliseconds(firstByte))") }
        if let total = metrics.total { parts.append("all after \(milliseconds(total))") }
        parts.append("\(DecimalText.grouped(Int(metrics.bodyBytesReceived))) bytes on the wire")
        return parts.joined(separator: ", ")
    }

    private static func milliseconds(_ duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        return DecimalText.fixed(Double(seconds) * 1e3 + Double(attoseconds) / 1e15, decimals: 1) + " ms"
    }
}
