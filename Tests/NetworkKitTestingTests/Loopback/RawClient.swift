import Dispatch
import NetworkKit
import NetworkKitTesting
import PlatformBase

/// A client that is nothing but a socket, so that tests see the bytes. Its calls block a thread of Dispatch, none of Swift's.
final class RawClient: Sendable {
    /// How the server's side ended.
    enum Ending: Equatable { case closed, reset }

    /// All that came until the end of the server's side.
    struct Reading: Equatable {
        let text: String
        let ending: Ending

        init(_ text: String, _ ending: Ending) {
            self.text = text
            self.ending = ending
        }
    }

    struct Failure: Error { let text: String }

    let descriptor: Int32

    init(_ port: Int, receiveBuffer: Int32? = nil) async throws {
        descriptor = try await Self.onThread { try Self.connect(port, receiveBuffer) }
    }

    deinit { PlatformBase.close(descriptor) }

    static func connect(_ port: Int, _ receiveBuffer: Int32? = nil) throws -> Int32 {
        #if canImport(Glibc)
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
        let descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        // A process that another test starts would keep the connection alive.
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        if var size = receiveBuffer { setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, 4) }
        // So that nothing hangs; who has to wait for all other tests isn't hanging.
        var limit = timeval(tv_sec: 100, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let code = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                PlatformBase.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard code == 0 else {
            let code = errno
            PlatformBase.close(descriptor)
            throw Failure(text: "connect: \(code)")
        }
        return descriptor
    }

    func send(_ text: String) async throws { try await send(Data(text.utf8)) }

    func send(_ data: Data) async throws {
        try await Self.onThread { [descriptor] in
            var offset = 0
            while offset < data.count {
                let count = data.dropFirst(offset).withUnsafeBytes { buffer in
                    #if canImport(Darwin)
                    PlatformBase.send(descriptor, buffer.baseAddress, buffer.count, 0)
                    #else
                    PlatformBase.send(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_NOSIGNAL))
                    #endif
                }
                guard count > 0 else { throw Failure(text: "send: \(errno)") }
                offset += count
            }
        }
    }

    func endWriting() { shutdown(descriptor, Int32(1)) }

    /// The next bytes; empty at the end.
    func read(_ limit: Int = 1 << 16) async throws -> Data {
        try await Self.onThread { [descriptor] in try Self.receive(descriptor, limit) }
    }

    private static func receive(_ descriptor: Int32, _ limit: Int) throws -> Data {
        var buffer = [UInt8](repeating: 0, count: limit)
        let count = recv(descriptor, &buffer, limit, 0)
        guard count >= 0 else { throw Failure(text: errno == ECONNRESET ? "reset" : "recv: \(errno)") }
        return Data(buffer.prefix(count))
    }

    func readExactly(_ count: Int) async throws -> Data {
        try await Self.onThread { [descriptor] in
            var result = Data()
            while result.count < count {
                let piece = try Self.receive(descriptor, min(1 << 16, count - result.count))
                if piece.isEmpty { throw Failure(text: "the end came after \(result.count) of \(count) bytes") }
                result.append(piece)
            }
            return result
        }
    }

    /// Reads byte by byte up to and including a text, so that nothing behind it is taken.
    func read(through mark: String) async throws -> String {
        let mark = Data(mark.utf8)
        return try await Self.onThread { [descriptor] in
            var result = Data()
            while !result.suffix(mark.count).elementsEqual(mark) {
                let byte = try Self.receive(descriptor, 1)
                if byte.isEmpty { throw Failure(text: "the end came after \(result.count) bytes") }
                result.append(byte)
            }
            return String(decoding: result, as: UTF8.self)
        }
    }

    /// All until the end of the server's side, and how it ended.
    func readToEnd() async throws -> (text: String, ending: Ending) {
        let (data, ending) = try await readDataToEnd()
        return (String(decoding: data, as: UTF8.self), ending)
    }

    func reading() async throws -> Reading {
        let (text, ending) = try await readToEnd()
        return Reading(text, ending)
    }

    func readDataToEnd() async throws -> (data: Data, ending: Ending) {
        var result = Data()
        do {
            while true {
                let piece = try await read()
                if piece.isEmpty { return (result, .closed) }
                result.append(piece)
            }
        } catch let failure as Failure where failure.text == "reset" {
            return (result, .reset)
        }
    }

    /// Whether nothing, not even an end, comes within a moment.
    func isSilent(milliseconds: Int32 = 60) async throws -> Bool {
        try await Self.onThread { [descriptor] in
            var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            return poll(&entry, 1, milliseconds) == 0
        }
    }

    static func onThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            // A queue of its own gets a thread of its own: the shared ones wait for each other when their work blocks.
            DispatchQueue(label: "raw client").async { continuation.resume(with: Result { try body() }) }
        }
    }
}

extension RawClient {
    struct Answer {
        var head: String
        var body: Data
        var trailers = ""
        var chunks: [Int] = []

        var status: Int { Int(head.split(separator: " ").dropFirst().first ?? "") ?? 0 }
        var text: String { String(decoding: body, as: UTF8.self) }

        func field(_ name: String) -> String? {
            head.split(separator: "\r\n").dropFirst().first { $0.lowercased().hasPrefix(name.lowercased() + ": ") }
                .map { String($0.dropFirst(name.count + 2)) }
        }
    }

    /// One whole answer; interim ones are answers too.
    func readAnswer(isHead: Bool = false) async throws -> Answer {
        var answer = Answer(head: try await read(through: "\r\n\r\n"), body: Data())
        if isHead || answer.status < 200 || answer.status == 204 || answer.status == 304 { return answer }
        if answer.field("Transfer-Encoding") == "chunked" {
            while true {
                guard let size = Int(try await read(through: "\r\n").dropLast(), radix: 16) else { throw Failure(text: "no chunk size") }
                if size == 0 { break }
                answer.chunks.append(size)
                answer.body.append(try await readExactly(size))
                guard try await readExactly(2) == Data("\r\n".utf8) else { throw Failure(text: "no end of a chunk") }
            }
            while true {
                let line = try await read(through: "\r\n")
                if line == "\r\n" { return answer }
                answer.trailers += line
            }
        } else if let length = answer.field("Content-Length").flatMap({ Int($0) }) {
            answer.body = try await readExactly(length)
        } else {
            answer.body = try await readDataToEnd().data
        }
        return answer
    }

    func get(_ target: String, _ fields: String = "") async throws -> Answer {
        try await send("GET \(target) HTTP/1.1\r\nHost: h\r\n\(fields)\r\n")
        return try await readAnswer()
    }
}

/// Runs a test against a server, which is stopped however the test ends.
func withServer(
    _ routes: (inout LoopbackRoutes) -> Void, limits: LoopbackServer.Limits = .init(),
    _ body: (LoopbackServer) async throws -> Void
) async throws {
    try await LoopbackServer.with(LoopbackRoutes(routes), limits: limits, perform: body)
}
