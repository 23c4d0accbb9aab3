#if os(Linux)
import CurlBaseline
import PlatformBase

/// The plain C client on libcurl. It works on the thread that calls it, as it would in a C program.
final class CurlBaselineClient: BenchmarkClient, @unchecked Sendable {
    let name = "c-libcurl"
    // The handles belong to the one round that runs at a time.
    private let client: OpaquePointer
    /// Where downloads go to.
    private let folder: URL?

    init(server: Server, load: Load) throws {
        let isBig =
            switch load {
            case .stream, .buffer, .upload, .uploadFile, .download: true
            default: false
            }
        folder = if case .download = load { try DownloadClient.makeFolder() } else { nil }
        guard let client = curl_baseline_open(server.authorityFile, isBig ? 1 : 0) else { throw Unavailable("libcurl can't be set up") }
        self.client = client
    }

    deinit {
        curl_baseline_close(client)
        if let folder { try? FileManager.default.removeItem(at: folder) }
    }

    func run(_ load: Load, within bounds: Bounds) async throws -> Round {
        let latencies = UnsafeMutablePointer<UInt64>.allocate(capacity: bounds.requests)
        defer { latencies.deallocate() }
        let limits = curl_baseline_bounds(requests: bounds.requests, seconds: bounds.seconds)
        let run: curl_baseline_run
        switch load {
        case .get(let url, 1), .getOnLoop(let url), .stream(let url):
            run = curl_baseline_sequential(client, url.absoluteString, limits, latencies)
        case .get(let url, let inFlight):
            run = curl_baseline_concurrent(client, url.absoluteString, inFlight, limits, latencies)
        case .buffer(let url):
            run = curl_baseline_buffered(client, url.absoluteString, limits, latencies, nil)
        case .download(let url, _):
            let file = folder?.appending(path: "file").path ?? ""
            run = curl_baseline_download(client, url.absoluteString, file, limits, latencies)
        case .upload(let url, let data):
            run = data.withUnsafeBytes {
                curl_baseline_upload(client, url.absoluteString, $0.baseAddress, $0.count, limits, latencies)
            }
        case .uploadFile(let url, let file):
            run = curl_baseline_upload_file(client, url.absoluteString, file.path, limits, latencies)
        case .model(let url):
            // The decoder is the same on both sides: what is compared is all around it.
            run = curl_baseline_buffered(client, url.absoluteString, limits, latencies) { bytes, count in
                guard let bytes else { return }
                _ = try? JSONDecoder().decode(MoviePage.self, from: Data(bytes: bytes, count: count))
            }
        case .stub, .observed, .resilience, .cached, .streamed, .program:
            throw Unavailable("no scenario of \(name)")
        }
        guard run.code == 0 else {
            throw Unavailable(run.code < 0 ? "\(name) got another status than 200" : "\(name) failed with libcurl's code \(run.code)")
        }
        return Round(
            requests: run.requests, bytes: run.bytes, seconds: run.seconds,
            latencies: Array(UnsafeBufferPointer(start: latencies, count: run.requests)))
    }
}
#endif
