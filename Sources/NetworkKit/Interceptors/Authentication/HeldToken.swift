internal import PlatformBase

/// A token with its number, and the field that it is sent as.
struct HeldToken: Sendable {
    let token: AccessToken
    let number: Int
    let field: HTTPField
    let isFit: Bool

    init(_ token: AccessToken, number: Int) {
        self.token = token
        self.number = number
        field = HTTPField(name: .authorization, value: "Bearer " + token.value, isSecret: true)
        isFit = field.isFit
    }
}

/// What a request saw when it began.
struct TokenMark: Equatable, Sendable {
    var number: Int
    var failures: Int
}

/// What a request needs to know at its beginning. It is judged outside of the lock.
struct TokenSnapshot: Sendable {
    let held: HeldToken?
    let mark: TokenMark
    let expires: Date?
    let early: Date?

    /// Whether the token can be sent. A clock that was set back finds it good for longer, and the server's 401 tells.
    func standing(at now: @autoclosure () -> Date) -> TokenStanding {
        guard let held else { return .missing }
        guard let expires else { return .good(held) }
        let now = now()
        if now >= expires { return .missing }
        return early.map { now >= $0 } ?? false ? .early(held) : .good(held)
    }
}

enum TokenStanding {
    case good(HeldToken)
    /// Good still, and to be renewed already.
    case early(HeldToken)
    case missing
}

/// A refresh that is to run, or runs.
struct TokenFlight: Equatable, Sendable {
    let id: Int
    /// The number of the token that it renews.
    let number: Int
    /// That token.
    let token: AccessToken?
}
