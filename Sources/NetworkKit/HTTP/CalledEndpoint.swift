/// The endpoint of a call, of any type. It may hold secrets, so nothing shows it.
package struct CalledEndpoint: Sendable, CustomReflectable {
    /// The endpoint.
    package let value: any Sendable
    package var customMirror: Mirror { Mirror(self, children: ["type": "\(type(of: value))"]) }
}
