internal import PlatformBase

/// Gives a body when it is first asked for, with the answer that it is of, where that is to be told of in an error.
typealias StreamOpening = @Sendable () async throws(RequestError) -> (ResponseBody, HTTPResponse?)

/// Reads an answer line by line: the sequences of lines stand on it.
struct LineReader {
    private let open: StreamOpening
    private var splitter: LineSplitter
    private var response: HTTPResponse?
    private var source: ResponseBody?
    private var body: ResponseBody.AsyncIterator?
    private var isEnded = false

    /// - Parameter open: gives the answer when the first line is asked for.
    init(limit: Int, ending: LineSplitter.Ending, open: @escaping StreamOpening) {
        splitter = LineSplitter(limit: limit, ending: ending)
        self.open = open
    }

    /// The number of the line that was given last, from 1.
    var number: Int { splitter.count }
    /// The head of the answer, once it is there.
    var head: ResponseHead? { response?.head }

    /// What `use` makes of the next line; `nil` at the end, and for ever after an error.
    mutating func next<Value>(
        isolation actor: isolated (any Actor)?, _ use: (UnsafeRawBufferPointer) throws(RequestError) -> Value
    ) async throws(RequestError) -> Value? {
        do throws(RequestError) {
            while true {
                if let line = try splitter.next(use) { return line }
                if isEnded { return nil }
                if body == nil { try await start(isolation: actor) }
                guard let chunk = try await body?.next(isolation: actor) else {
                    end()
                    return try splitter.finish(use)
                }
                splitter.append(chunk)
            }
        } catch {
            throw fail(error)
        }
    }

    /// Ends the reading with an error, which learns what the call was.
    mutating func fail(_ error: RequestError) -> RequestError {
        let told = response.map(error.told(of:)) ?? error
        end()
        splitter = LineSplitter()
        source?.discard()
        source = nil
        response = nil
        return told
    }

    private mutating func start(isolation actor: isolated (any Actor)?) async throws(RequestError) {
        let (body, response) = try await open()
        self.response = response
        source = body
        self.body = body.makeAsyncIterator()
    }

    private mutating func end() {
        isEnded = true
        body = nil
    }
}

extension RequestError {
    /// What went wrong while an answer was read, with the call's story.
    func told(of response: HTTPResponse) -> RequestError {
        retold { story in
            if let request = response.request { story.add(request) }
            story.response = story.response ?? FailedResponse(head: response.head)
        }
    }
}
