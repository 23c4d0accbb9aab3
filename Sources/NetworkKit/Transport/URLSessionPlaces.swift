#if !canImport(CCurl) || URLSession
internal import PlatformBase

/// Which requests the platform has, and which wait until it may have them: a value.
struct URLSessionPlaces<Waiter> {
    private enum Place {
        case held(Origin)
        case awaited(Waiter, Origin)
    }

    private var admission: Admission<UInt64>
    private var places: [UInt64: Place] = [:]

    init(connectionsPerHost: Int) { admission = Admission(perOrigin: connectionsPerHost, total: .max) }

    /// Asks for a place; `false` when the request waits for one.
    mutating func enter(_ id: UInt64, to origin: Origin, _ waiter: Waiter) -> Bool {
        let hasPlace = admission.admit(id, to: origin)
        places[id] = hasPlace ? .held(origin) : .awaited(waiter, origin)
        return hasPlace
    }

    /// Gives a place back, or leaves the queue; who has neither is passed over. Gives who has a place now and had to wait for it.
    mutating func leave(_ id: UInt64) -> [Waiter] {
        switch places.removeValue(forKey: id) {
        case .held(let origin): return take(admission.release(origin))
        case .awaited: admission.leave(id)
        case nil: break
        }
        return []
    }

    /// Remembers that the origin's connections carry many requests at once. Gives who has a place now and had to wait for it.
    mutating func markMultiplexed(_ origin: Origin) -> [Waiter] { take(admission.markMultiplexed(origin)) }

    private mutating func take(_ ids: [UInt64]) -> [Waiter] {
        ids.compactMap { id in
            guard case .awaited(let waiter, let origin) = places[id] else { return nil }
            places[id] = .held(origin)
            return waiter
        }
    }
}
#endif
