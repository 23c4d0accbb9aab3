import PlatformBase
import TestSupport

/// The Python that `.ci/run prepare` has made for servers that aren't ours, else the system's, where it has a module.
enum PythonServer {
    struct Failure: Error { let text: String }

    /// The first Python that has a module.
    static func python(with module: String) -> URL? {
        let prepared = URL(filePath: #filePath).appending(path: "../../../../.build/python/bin/python3").standardized
        return [prepared, URL(filePath: "/usr/bin/python3"), URL(filePath: "/usr/local/bin/python3")].first { program in
            guard FileManager.default.isExecutableFile(atPath: program.path) else { return false }
            return (try? ChildProcess(program, ["-c", "import \(module)"]).wait()) == 0
        }
    }

    /// Starts a script of the folder Servers, which is given a folder and writes its port to the file `port` there.
    static func start(_ script: String, with python: URL?, in folder: URL) throws -> Int {
        let script = URL(filePath: #filePath).appending(path: "../../Servers/\(script)").standardized
        _ = try ChildProcess(python, [script.path, folder.path])
        for _ in 0..<4000 {
            let text = try? Data(contentsOf: folder.appending(path: "port"))
            if let port = text.flatMap({ Int(String(decoding: $0, as: UTF8.self)) }) { return port }
            poll(nil, 0, 5)
        }
        throw Failure(text: "the server doesn't start")
    }
}

/// httpbin. One for all tests: it ends with this process.
struct HTTPBinServer: Sendable {
    let baseURL: URL

    static let shared: HTTPBinServer? = try? HTTPBinServer()
    static let isInstalled = python != nil
    private static let python = PythonServer.python(with: "httpbin")

    private init() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "networkkit-httpbin-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let port = try PythonServer.start("httpbin_server.py", with: Self.python, in: folder)
        guard let url = URL(string: "http://127.0.0.1:\(port)") else { throw PythonServer.Failure(text: "no URL") }
        baseURL = url
    }
}
