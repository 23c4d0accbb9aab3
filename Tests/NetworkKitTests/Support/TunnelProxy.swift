import PlatformBase
import TestSupport

@testable import NetworkKit

/// A proxy for CONNECT at a loopback port, one connection after the other: it keeps what it was asked, and answers as it is told. Where it
/// lets a connection through, that leads to the port asked for on this machine, whatever the host.
final class TunnelProxy: Sendable {
    let port: Int
    private let listener: Int32
    private let record = Lock<[String]>([])
    private let refuses: @Sendable (String) -> String?

    /// - Parameter refuses: the status line's end for a head that is refused, such as `407 Who are you`; `nil` for one that isn't.
    init(refuses: @escaping @Sendable (String) -> String? = { _ in nil }) throws {
        (listener, port) = try LoopbackSocket.bound()
        self.refuses = refuses
        guard listen(listener, 16) == 0 else { throw LoopbackSocket.Failure(text: "can't listen") }
        _ = Thread.start { [self] in
            while case let client = accept(listener, nil, nil), client >= 0 { _ = Thread.start { [self] in serve(client) } }
        }
    }

    func stop() {
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
    }

    /// The heads that it was sent.
    var heads: [String] { record.withLock { $0 } }

    private func serve(_ client: Int32) {
        defer { close(client) }
        guard let head = readHead(client) else { return }
        record.withLock { $0.append(head) }
        if let refusal = refuses(head) {
            say(
                "HTTP/1.1 \(refusal)\r\nProxy-Authenticate: Basic realm=\"test\"\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
                to: client)
            return
        }
        let target = head.split(separator: " ").dropFirst().first ?? ""
        guard let server = target.split(separator: ":").last.flatMap({ Int($0) }).flatMap(LoopbackSocket.connected(to:)) else {
            return say("HTTP/1.1 502 Nobody There\r\nContent-Length: 0\r\n\r\n", to: client)
        }
        defer { close(server) }
        say("HTTP/1.1 200 Go On\r\n\r\n", to: client)
        while copy(client, server) {}
    }

    private func readHead(_ client: Int32) -> String? {
        var head: [UInt8] = []
        var byte: UInt8 = 0
        while !head.suffix(4).elementsEqual(Array("\r\n\r\n".utf8)) {
            guard read(client, &byte, 1) == 1 else { return nil }
            head.append(byte)
        }
        return String(decoding: head, as: UTF8.self)
    }

    private func say(_ text: String, to client: Int32) {
        _ = text.withCString { sendAll(client, $0, strlen($0)) }
    }

    /// Copies what either side has said; `false` when one has ended.
    private func copy(_ one: Int32, _ other: Int32) -> Bool {
        var sides = [pollfd(fd: one, events: Int16(POLLIN), revents: 0), pollfd(fd: other, events: Int16(POLLIN), revents: 0)]
        guard poll(&sides, 2, -1) > 0 else { return false }
        var bytes = [UInt8](repeating: 0, count: 65_536)
        for (from, to) in [(sides[0], other), (sides[1], one)] where from.revents != 0 {
            let count = read(from.fd, &bytes, bytes.count)
            guard count > 0, sendAll(to, bytes, count) else { return false }
        }
        return true
    }
}

/// Sends all of it, and no signal when the peer is gone.
private func sendAll(_ descriptor: Int32, _ bytes: UnsafeRawPointer, _ count: Int) -> Bool {
    var sent = 0
    while sent < count {
        let result = send(descriptor, bytes + sent, count - sent, Int32(MSG_NOSIGNAL))
        guard result > 0 else { return false }
        sent += result
    }
    return true
}
