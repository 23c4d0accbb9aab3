internal import PlatformBase

extension Interceptor where Self == DeadlineFieldInterceptor {
    /// Tells the server how long the call may still take, so that it doesn't work on what nobody waits for any more.
    ///
    /// ```swift
    /// HTTPSession(interceptors: [.retry(), .deadlineField("X-Request-Timeout", unit: .milliseconds)])
    /// ```
    ///
    /// It belongs inside of what sends again, so that each attempt says what is left. A call without a deadline sends no field, and an
    /// endpoint's own stays as it is.
    ///
    /// - Parameters:
    ///   - name: the field that the server knows; there is no standard one.
    ///   - unit: what its number counts. It is rounded down: the server never believes in more time than there is.
    public static func deadlineField(
        _ name: HTTPField.Name, unit: DeadlineFieldInterceptor.Unit = .milliseconds
    ) -> DeadlineFieldInterceptor {
        DeadlineFieldInterceptor(name: name, unit: unit)
    }
}

/// Sends the remaining time along: see ``Interceptor/deadlineField(_:unit:)``.
public struct DeadlineFieldInterceptor: StockInterceptor {
    /// What the field's number counts.
    public enum Unit: String, Sendable, Hashable {
        /// Whole seconds.
        case seconds
        /// Whole milliseconds.
        case milliseconds
    }

    let name: HTTPField.Name
    let unit: Unit

    /// Sends the request on with the field.
    public func intercept(_ request: HTTPRequest, next: Next) async throws(RequestError) -> HTTPResponse {
        guard let remaining = request.context.remaining, !request.headers.contains(name) else { return try await next(request) }
        var request = request
        request.headers.append(HTTPField(name: name, value: "\(Self.count(remaining, unit))"))
        return try await next(request)
    }

    static func count(_ remaining: Duration, _ unit: Unit) -> Int64 {
        let (seconds, attoseconds) = max(remaining, .zero).components
        switch unit {
        case .seconds: return seconds
        case .milliseconds:
            // A deadline of millions of years is one of a few.
            return min(seconds, .max / 2000) * 1000 + attoseconds / 1_000_000_000_000_000
        }
    }

    /// The field's name.
    public func describe(_ request: HTTPRequest) -> String? {
        request.context.deadline == nil ? "adds nothing, since there is no deadline" : "sends the time that is left as \(name), in \(unit)"
    }
}
