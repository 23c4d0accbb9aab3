internal import PlatformBase
internal import TestSupport

/// A terminal without a screen: what a program writes to its inside is read here.
final class PseudoTerminal {
    private let outside: Int32
    /// The side that the program has.
    let inside: Int32

    init(columns: Int) throws {
        let (descriptor, name) = try Self.pair()
        let other = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard other >= 0 else { throw ChildProcess.Fault(code: errno) }
        var size = winsize()
        size.ws_col = UInt16(columns)
        size.ws_row = 50
        _ = ioctl(other, UInt(TIOCSWINSZ), &size)
        outside = descriptor
        inside = other
    }

    #if os(Linux)
    // Glibc hides posix_openpt and its kin from Swift behind a feature macro; they do no more than this.
    private static func pair() throws -> (Int32, String) {
        let unlock = UInt(0x4004_5431)  // TIOCSPTLCK
        let getNumber = UInt(0x8004_5430)  // TIOCGPTN
        let descriptor = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var isLocked: Int32 = 0
        var number: UInt32 = 0
        guard descriptor >= 0, ioctl(descriptor, unlock, &isLocked) == 0, ioctl(descriptor, getNumber, &number) == 0 else {
            throw ChildProcess.Fault(code: errno)
        }
        return (descriptor, "/dev/pts/\(number)")
    }
    #else
    private static func pair() throws -> (Int32, String) {
        let descriptor = posix_openpt(O_RDWR | O_NOCTTY)
        guard descriptor >= 0, grantpt(descriptor) == 0, unlockpt(descriptor) == 0, let name = ptsname(descriptor) else {
            throw ChildProcess.Fault(code: errno)
        }
        return (descriptor, String(cString: name))
    }
    #endif

    deinit { close(outside) }

    /// Lets go of the side that the program has, so that reading ends when the program does.
    func closeInside() { _ = close(inside) }

    /// What was written since, or `nil` at the end. A pause that cuts a character in two is waited out.
    func read() -> String? {
        var bytes = [UInt8](repeating: 0, count: 4096)
        var collected: [UInt8] = []
        while true {
            let count = PlatformBase.read(outside, &bytes, bytes.count)
            // Linux says EIO, not the end, when the other side is gone.
            guard count > 0 else { return collected.isEmpty ? nil : String(decoding: collected, as: UTF8.self) }
            collected += bytes.prefix(count)
            if let text = String(validating: collected, as: UTF8.self) { return text }
        }
    }
}
