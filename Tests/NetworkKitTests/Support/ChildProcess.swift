import PlatformBase
import TestSupport

extension ChildProcess {
    /// Starts a program that may not be installed, with its output thrown away, or kept in a file.
    ///
    /// - Parameters:
    ///   - folder: where it works, if not where this process does.
    ///   - output: the file that what it says goes to.
    convenience init(_ program: URL?, _ arguments: [String], folder: URL? = nil, output: URL? = nil) throws {
        guard let program else { throw Fault(code: ENOENT) }
        let channel = output.map { Channel.file($0) } ?? .nothing
        try self.init(program.path, arguments, folder: folder?.path, output: channel, errors: channel)
    }
}
