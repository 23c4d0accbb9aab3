/// The endpoint of a call, of any type. It may hold secrets, so nothing shows it.
package struct CalledEndpoint: Sendable, CustomReflectable {
    private let endpoint: any Sendable

    init(_ endpoint: any Sendable) { self.endpoint = endpoint }

    /// The endpoint; of one that was configured for the call, the one inside.
    package var value: any Sendable {
        var value = endpoint
        while let wrapper = value as? any EndpointWrapper { value = wrapper.wrapped }
        return value
    }

    package var customMirror: Mirror { Mirror(self, children: ["type": "\(type(of: value))"]) }
}

/// An endpoint around another.
protocol EndpointWrapper {
    associatedtype Wrapped: Sendable
    var wrapped: Wrapped { get }
}
