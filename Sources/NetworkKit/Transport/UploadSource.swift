/// The bytes of a request's body, read by whom they are sent by and who must never wait.
protocol UploadSource: AnyObject, Sendable {
    /// Fills a buffer. Where there is nothing yet, the source tells when there is.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> UploadReading

    /// Nobody reads any more, for this reason.
    func end(_ result: Result<Void, RequestError>)
}

/// What there is to be sent next.
enum UploadReading {
    case bytes(Int)
    case end
    case nothingYet
    case failure(RequestError)
}
