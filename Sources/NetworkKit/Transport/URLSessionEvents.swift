#if !canImport(CCurl) || URLSession
internal import Foundation
internal import PlatformBase

#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif

/// What the platform tells of its tasks, one thing after the other, and to which request it belongs.
final class URLSessionEvents: NSObject, URLSessionDataDelegate, Sendable {
    private struct Tasks {
        var jobs: [Int: URLSessionJob] = [:]
        var endings: [Int: @Sendable () -> Void] = [:]
    }

    private let tasks = Lock(Tasks())
    private let trust: ServerTrust

    init(_ trust: ServerTrust) { self.trust = trust }

    /// Tells a job of a task from now on.
    ///
    /// - Parameter afterEnd: what is to be done when the platform is through with the task, which may be after its job is over.
    func add(_ job: URLSessionJob, for id: Int, afterEnd: (@Sendable () -> Void)?) {
        tasks.withLock { tasks in
            tasks.jobs[id] = job
            tasks.endings[id] = afterEnd
        }
    }

    func remove(_ id: Int) { _ = tasks.withLock { $0.jobs.removeValue(forKey: id) } }
    private func job(of task: URLSessionTask) -> URLSessionJob? { tasks.withLock { $0.jobs[task.taskIdentifier] } }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        if let response = response as? HTTPURLResponse {
            // On Linux interim answers come by the same way. 101 is the last: what follows isn't HTTP (RFC 9110 §15.2.2).
            if response.statusCode < 200, response.statusCode != 101 {
                job(of: dataTask)?.received(interim: response)
            } else {
                job(of: dataTask)?.received(response)
            }
        }
        completionHandler(.allow)
    }

    #if !canImport(FoundationNetworking)
    func urlSession(_ session: URLSession, task: URLSessionTask, didReceiveInformationalResponse response: HTTPURLResponse) {
        job(of: task)?.received(interim: response)
    }
    #endif

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        job(of: dataTask)?.received(data)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        job(of: task)?.sent(totalBytesSent)
    }

    /// Redirects are followed above the transport, where it is known what may go along.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }

    /// The platform wants to send again. That is decided above the transport too.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) {
        completionHandler(nil)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        trust.answer(to: challenge, completionHandler)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics) {
        job(of: task)?.measured(RequestMetrics(metrics))
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        job(of: task)?.completed(with: error)
        let afterEnd = tasks.withLock { $0.endings.removeValue(forKey: task.taskIdentifier) }
        afterEnd?()
    }
}

extension RequestMetrics {
    /// Of a request that the platform sent several times, the last sending.
    fileprivate init(_ metrics: URLSessionTaskMetrics) {
        self.init()
        sends = metrics.transactionMetrics.count
        guard let last = metrics.transactionMetrics.last else { return }
        let start = metrics.taskInterval.start
        func time(_ date: Date?) -> Duration? { date.map { .seconds($0.timeIntervalSince(start)) } }
        nameLookup = time(last.domainLookupEndDate)
        connect = time(last.connectEndDate)
        tls = time(last.secureConnectionEndDate)
        firstByte = time(last.responseStartDate)
        total = time(last.responseEndDate)
        bodyBytesSent = last.countOfRequestBodyBytesSent
        bodyBytesReceived = last.countOfResponseBodyBytesReceived
        isConnectionReused = last.isReusedConnection
        switch last.networkProtocolName {
        case "http/1.0": version = HTTPVersion(major: 1, minor: 0)
        case "http/1.1": version = HTTPVersion(major: 1, minor: 1)
        case "h2": version = HTTPVersion(major: 2, minor: 0)
        case "h3": version = HTTPVersion(major: 3, minor: 0)
        default: break
        }
    }
}
#endif
