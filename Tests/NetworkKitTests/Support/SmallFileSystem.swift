import PlatformBase
import TestSupport

/// A file system in memory, where one may be mounted.
final class SmallFileSystem {
    private let url: URL

    init?(at url: URL, size: Int) {
        self.url = url
        guard Self.run("mount", "-t", "tmpfs", "-o", "size=\(size)", "networkkit-test", url.path) else {
            print("no file system of its own can be mounted here")
            return nil
        }
    }

    func makeReadOnly() -> Bool { Self.run("mount", "-o", "remount,ro", url.path) }

    func resize(to size: Int) -> Bool { Self.run("mount", "-o", "remount,size=\(size)", url.path) }

    deinit { _ = Self.run("umount", "-l", url.path) }

    private static func run(_ name: String, _ arguments: String...) -> Bool {
        let program = ["/bin/", "/usr/bin/", "/sbin/"].map { URL(filePath: $0 + name) }.first {
            FileManager.default.isExecutableFile(atPath: $0.path)
        }
        return (try? ChildProcess(program, arguments).wait()) == 0
    }
}
