extension RefreshableToken {
    /// Sends a request with the token, renewed before or after where that is needed: at most one refresh, at most two sendings.
    func send(_ request: HTTPRequest, _ next: Next) async throws(RequestError) -> HTTPResponse {
        let snapshot = snapshot
        let held: HeldToken
        var isFresh = false
        switch snapshot.standing(at: request.context.clock.date) {
        case .good(let good): held = good
        case .early(let good):
            // The token is still good: a refresh that fails is the next request's to try again.
            let renewal = try await renewed(after: snapshot.mark, in: request.context)
            if case .success(let new) = renewal { (held, isFresh) = (new, true) } else { held = good }
        case .missing:
            held = try await renewed(after: snapshot.mark, in: request.context).get()
            isFresh = true
        }
        let response = try await next(request.adding(held.field, isFit: held.isFit))
        guard isRefusal(response.head) else { return response }
        guard request.isReplayable else {
            refused(held.number)
            return response
        }
        let other: HeldToken
        if isFresh {
            // It was renewed for this request already. Only what somebody else has had since can help.
            guard let newer = newer(than: held.number) else { return response }
            response.body.discard()
            other = newer
        } else {
            response.body.discard()
            other = try await renewed(after: snapshot.mark, in: request.context).get()
        }
        return try await next(request.adding(other.field, isFit: other.isFit))
    }
}
