/// What makes a request differ each time it is sent, such as a proof that holds once: it has the last word, behind the innermost
/// interceptor, since retry, hedging and the stack itself send copies of a request and know nothing of it.
protocol RequestSignature: AnyObject, Sendable {
    /// Changes a request that is about to be sent, which has passed the last check and must still.
    func sign(_ request: inout HTTPRequest)
}
