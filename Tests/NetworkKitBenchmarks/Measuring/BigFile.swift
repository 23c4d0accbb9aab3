import PlatformBase

/// A file of 1 GiB of zeros, which takes no room on the disk and goes with the process.
enum BigFile {
    static let size = 1 << 30

    static let url: URL = {
        let url = FileManager.default.temporaryDirectory.appending(path: "networkkit-benchmark-\(getpid())")
        close(open(url.path, O_WRONLY | O_CREAT, 0o600))
        truncate(url.path, off_t(size))
        atexit { unlink(BigFile.url.path) }
        return url
    }()
}
