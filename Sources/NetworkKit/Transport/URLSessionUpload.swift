#if !canImport(CCurl) || URLSession
internal import Foundation
internal import PlatformBase

#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif

extension URLSessionJob {
    #if canImport(FoundationNetworking)
    /// The most bytes of a body stream on Linux.
    static var collectedBodyLimit: Int { 64 << 20 }

    /// Sends a body that is a stream. The platform on Linux has no way to say that there is nothing yet, and a stream that waits
    /// holds up all requests; so the body is there as a whole before it is sent.
    func stream(
        _ platformRequest: URLRequest, length: Int64?, from open: @Sendable () async throws(RequestError) -> AsyncReader
    ) async {
        var body = Data()
        do throws(RequestError) {
            try await UploadPipe.read(length: length, from: open) { chunk in
                body.append(chunk)
                return body.count <= Self.collectedBodyLimit
            }
            guard body.count <= Self.collectedBodyLimit else {
                let limit = "URLSession on Linux sends no body stream of more than \(Self.collectedBodyLimit) bytes"
                throw .encode(.init(.init(part: .body), reason: "\(limit); CurlTransport does"))
            }
            begin(platformRequest, upload: body)
        } catch {
            fail(error)
        }
    }
    #else
    /// Sends a body that is a stream, through a pair of streams: a thread of its own writes to the one, since writing waits while
    /// the pair is full, and the platform reads from the other.
    func stream(
        _ platformRequest: URLRequest, length: Int64?, from open: @Sendable () async throws(RequestError) -> AsyncReader
    ) async {
        var input: InputStream?
        var output: OutputStream?
        Stream.getBoundStreams(withBufferSize: 64 * 1024, inputStream: &input, outputStream: &output)
        guard let input, let output else { return fail(.connection(.init(reason: "the platform gives no streams for the body"))) }
        var platformRequest = platformRequest
        platformRequest.httpBodyStream = input
        let isReady = Semaphore()
        let pipe = UploadPipe { isReady.signal() }
        // From here on only the thread has it.
        nonisolated(unsafe) let sink = output
        Thread.start { self.write(pipe, isReady, to: sink) }
        begin(platformRequest)
        await withTaskCancellationHandler {
            await pipe.fill(length: length, from: open)
        } onCancel: {
            // Before the source says that it has ended, which some do when they are cancelled.
            pipe.end(.failure(.cancelled))
        }
    }

    private func write(_ pipe: UploadPipe, _ isReady: Semaphore, to output: OutputStream) {
        output.open()
        defer { output.close() }
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        while true {
            switch buffer.withUnsafeMutableBytes({ pipe.read(into: $0) }) {
            case .end: return
            case .failure(let error): return fail(error)
            case .nothingYet:
                awaitsBody(true)
                isReady.wait()
                awaitsBody(false)
            case .bytes(let count):
                var rest = buffer[..<count]
                while !rest.isEmpty {
                    let written = rest.withUnsafeBufferPointer { bytes in
                        bytes.baseAddress.map { output.write($0, maxLength: bytes.count) } ?? 0
                    }
                    // The platform has closed its end: the request is over.
                    guard written > 0 else { return pipe.end(.failure(.cancelled)) }
                    rest = rest.dropFirst(written)
                }
            }
        }
    }
    #endif
}
#endif
