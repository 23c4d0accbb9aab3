package import NetworkKit
internal import PlatformBase

/// The file of a cassette: what it held when it was opened, and what has been recorded since.
package final class Tape: Sendable {
    private struct State {
        var entries: [(order: Int, entry: HAR.Entry)]
        var lastOrder: Int
        var secrets = SecretValues()
        /// Those of all who use the tape.
        var rules: CassetteMasking
        /// What went wrong while nobody listened.
        var fault: RequestError?

        /// Masks all entries; whether that changed one.
        mutating func mask() -> Bool {
            let mask = TapeMask(secrets: secrets, rules: rules)
            var isChanged = false
            for index in entries.indices {
                let masked = mask.entry(entries[index].entry)
                if masked != entries[index].entry { isChanged = true }
                entries[index].entry = masked
            }
            return isChanged
        }
    }

    package let path: String
    let mode: Cassette.Mode
    /// Whether there was a file.
    private let isThere: Bool
    let plays: Bool
    let records: Bool
    /// What was in the file.
    let loaded: [HAR.Entry]
    private let state: Lock<State>

    package init(path: String, mode: Cassette.Mode, masking: CassetteMasking) throws(RequestError) {
        self.path = path
        let mode = try Cassette.Mode.ofEnvironment ?? mode
        self.mode = mode
        isThere = FileManager.default.fileExists(atPath: path)
        if mode == .none, !isThere {
            throw .file(
                .init(
                    .init(path: path, code: ENOENT),
                    reason: "there is no recording at \(path), and the mode .none makes none; run the test once with .once"))
        }
        (plays, records) = Self.work(mode, isThere: isThere)
        loaded = plays && isThere ? try Self.load(path) : []
        state = Lock(State(entries: loaded.enumerated().map { (order: $0, entry: $1) }, lastOrder: loaded.count, rules: masking))
    }

    private static func work(_ mode: Cassette.Mode, isThere: Bool) -> (plays: Bool, records: Bool) {
        (mode == .none || mode == .new || (mode == .once && isThere), mode == .all || mode == .new || (mode == .once && !isThere))
    }

    /// Sees that somebody else who is to use the tape wants of it what it does.
    package func check(_ other: Cassette.Mode) throws(RequestError) {
        let other = try Cassette.Mode.ofEnvironment ?? other
        if Self.work(other, isThere: isThere) == (plays, records) { return }
        throw .unknown(
            .init(
                reason:
                    "\(path) is asked for with the mode .\(other.rawValue), and another test of this run has it with .\(mode.rawValue): "
                    + "one file can't do both; give both the same mode, or names of their own"))
    }

    /// Masks in the file what somebody else who uses the tape wants masked, too.
    package func mask(also masking: CassetteMasking) {
        state.withLock { $0.rules.formUnion(masking) }
    }

    private static func load(_ path: String) throws(RequestError) -> [HAR.Entry] {
        let data: Data
        do {
            data = try Data(contentsOf: URL(filePath: path))
        } catch {
            throw .file(.init(.init(path: path), reason: "the recording at \(path) can't be read: \(error)", underlying: error))
        }
        do {
            return try HAR(json: data).entries
        } catch {
            guard case .decode(let details) = error else { throw error }
            throw .decode(
                .init(
                    details.facts, reason: "\(path): \(details.reason); mend it, or delete it and record it anew",
                    underlying: details.underlying))
        }
    }

    /// - Throws: what went wrong since the last request while nobody listened.
    func check() throws(RequestError) {
        if let fault = state.withLock({ $0.fault.take() }) { throw fault }
    }

    /// The mask for a request, and for all that was recorded before: its secrets may stand there too, and are taken out at once, since the
    /// request may get no answer.
    ///
    /// - Parameters:
    ///   - body: the body before it was coded.
    ///   - rules: those by which the request is compared: its own cassette's. What is written keeps to those of all.
    func mask(knowing request: HTTPRequest, body: Data, rules: CassetteMasking) throws(RequestError) -> TapeMask {
        let all = state.withLock(\.rules)
        let secrets = request.allSecrets.withoutParts(shorterThan: TapeMask.shortestValue)
        let found = TapeMask(secrets: secrets, rules: all).secrets(in: request, body: body)
        return try state.withLock { state throws(RequestError) in
            let known = state.secrets.count
            state.secrets.formUnion(found)
            if records, state.secrets.count > known, state.mask() { try write(state) }
            return TapeMask(secrets: state.secrets, rules: rules)
        }
    }

    /// The place of an exchange that begins.
    func begin() -> Int {
        state.withLock { state in
            state.lastOrder += 1
            return state.lastOrder
        }
    }

    /// Adds an exchange and writes the file; what the answer holds in secret is masked from now on.
    func add(_ entry: HAR.Entry, at order: Int) throws(RequestError) {
        let found = TapeMask(secrets: SecretValues(), rules: state.withLock(\.rules)).secrets(in: entry)
        try state.withLock { state throws(RequestError) in
            state.secrets.formUnion(found)
            state.entries.append((order, entry))
            state.entries.sort { $0.order < $1.order }
            _ = state.mask()
            try write(state)
        }
    }

    /// The same where nobody listens: what goes wrong is thrown to the next request.
    func addUnheard(_ entry: HAR.Entry, at order: Int) {
        do throws(RequestError) {
            try add(entry, at: order)
        } catch {
            state.withLock { $0.fault = error }
        }
    }

    /// Within the lock, so that an older state of the file doesn't replace a newer one.
    private func write(_ state: State) throws(RequestError) {
        let json = HAR(entries: state.entries.map(\.entry)).json
        do {
            let file = URL(filePath: path)
            try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try json.write(to: file, options: .atomic)
        } catch {
            throw .file(
                .init(
                    .init(path: path),
                    reason: "the recording can't be written to \(path): \(error); make it writable, or play with the mode .none",
                    underlying: error))
        }
    }
}
