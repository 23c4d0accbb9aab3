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
    /// Sends a body that is a stream, through a pair of streams.
    func stream(
        _ platformRequest: URLRequest, length: Int64?, from open: @Sendable () async throws(RequestError) -> AsyncReader
    ) async {
        guard let body = URLSessionBodyStream(for: self) else {
            return fail(.connection(.init(reason: "the platform gives no streams for the body")))
        }
        var platformRequest = platformRequest
        platformRequest.httpBodyStream = body.input
        let pipe = UploadPipe { body.advance() }
        body.open(for: pipe)
        // A request that is over by now has no end that could close it.
        guard begin(platformRequest, afterEnd: { body.close() }) else { return body.close() }
        await withTaskCancellationHandler {
            await pipe.fill(length: length, from: open)
        } onCancel: {
            // Before the source says that it has ended, which some do when they are cancelled.
            pipe.end(.failure(.cancelled))
        }
    }
    #endif
}
#endif
