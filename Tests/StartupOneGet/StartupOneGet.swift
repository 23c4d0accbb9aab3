// A program that makes one request and ends, on NetworkKit and nothing else: what a small command-line tool costs to start.
//
//     StartupOneGet URL [--peak]      with --peak it prints the most memory that it had, in kB

import NetworkKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

struct Page: Endpoint {
    let baseURL: URL
    var path: Path { "" }
}

@main
struct StartupOneGet {
    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        guard let url = arguments.first.flatMap({ URL(string: $0) }) else { throw Usage() }
        let body = try await NetworkClient().data(for: Page(baseURL: url)).get()
        guard !body.isEmpty else { throw Usage() }
        guard arguments.contains("--peak"), let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else { return }
        print(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }?.filter(\.isNumber) ?? "0")
    }

    struct Usage: Error, CustomStringConvertible {
        var description: String { "usage: StartupOneGet URL [--peak], where the URL gives a body" }
    }
}
