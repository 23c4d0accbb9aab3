// Drives the library for black-box suites: one JSON object a line on standard input and output.
//
//     {"id":7,"method":"GET","url":"…","headers":[["Name","value"],…],"body":"text" or null,"body_b64":"…",
//      "cache":"default|no-store|reload|no-cache|force-cache|only-if-cached","redirect":"follow|manual","session":"cached|plain",
//      "timeout":10,"deadline":30,"max_body":1000,"cookies":true,"proxy":"http://…","ca":"file","wait":true}
//  →  {"id":7,"status":200,"headers":[["Name","value"],…],"body_b64":"…","url":"final",
//      "interim":[[103,[["link","x"]]]],"from":"network|cache|revalidated|stale"}
//     {"id":7,"error":"kind","message":"…"}
//
//     {"id":8,"cancel":7}     cancels a request, which then answers with the error "cancelled"
//  →  {"id":8,"cancelled":true}
//
// All but "id" and "url" may be left out; times are seconds and may be fractions. Each request runs as a task of its own, so that
// answers come as they are ready; with "wait" the next line is read when it is answered. The program ends when standard input has
// ended and everything is answered. A process has one private cache and one cookie jar, in memory; it connects directly unless
// "proxy" says otherwise, and sends nothing twice.

import PlatformBase

@main
enum DriverProgram {
    /// Reading blocks, so the main thread does that and nothing else.
    static func main() {
        let (lines, continuation) = AsyncStream.makeStream(of: String.self)
        Task.detached {
            let driver = Driver()
            await withTaskGroup { group in
                for await line in lines { await driver.take(line, in: &group) }
            }
            exit(0)
        }
        while let line = readLine() { continuation.yield(line) }
        continuation.finish()
        while true { pause() }
    }
}

/// Standard output, a line at a time.
enum StandardOutput {
    private static let lock = Lock(())

    static func write(line: Data) {
        var bytes = [UInt8](line)[...]
        bytes.append(UInt8(ascii: "\n"))
        lock.withLock { _ in
            while !bytes.isEmpty {
                let count = bytes.withUnsafeBytes { systemWrite($0) }
                // Nobody listens any more.
                guard count > 0 else { exit(1) }
                bytes = bytes.dropFirst(count)
            }
        }
    }
}

private func systemWrite(_ bytes: UnsafeRawBufferPointer) -> Int { write(1, bytes.baseAddress, bytes.count) }
