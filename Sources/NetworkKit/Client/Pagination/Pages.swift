/// The pages of an endpoint, one after the other: see ``HTTPClient/pages(_:limit:prefetch:allowsRepeats:)``.
public struct Pages<E: PagedEndpoint>: AsyncSequence, Sendable {
    /// A page.
    public typealias Element = E.Response
    /// Why there is no page, and ``RequestError/stream(_:)`` for pages that lead in a circle or are always the same.
    public typealias Failure = RequestError

    let walk: PageWalk<E>
    let prefetches: Bool

    /// Begins with the first page.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(walk: walk, prefetches: prefetches) }

    /// Gives pages. Letting go of it ends a request that is under way.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private var walk: PageWalk<E>?
        private let prefetches: Bool
        private var fetch: PageFetch<E>?

        init(walk: PageWalk<E>, prefetches: Bool) {
            self.walk = walk
            self.prefetches = prefetches
        }

        /// The next page, or `nil` behind the last.
        public mutating func next() async throws(RequestError) -> E.Response? { try await next(isolation: nil) }

        /// The next page, or `nil` behind the last.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(RequestError) -> E.Response? {
            let (begun, start) = (fetch, walk)
            fetch = nil
            walk = nil
            guard let step = try await Self.step(begun, start, isolation: actor) else { return nil }
            walk = step.walk
            if prefetches, step.walk.upcoming != nil { fetch = PageFetch(step.walk) }
            return step.page
        }

        private static func step(
            _ begun: PageFetch<E>?, _ walk: PageWalk<E>?, isolation actor: isolated (any Actor)?
        ) async throws(RequestError) -> PageWalk<E>.Step? {
            if let begun { return try await begun.step() }
            return try await walk?.step() ?? nil
        }
    }
}

/// The items of an endpoint's pages, one after the other: see ``HTTPClient/items(_:_:limit:prefetch:allowsRepeats:)``.
public struct PageItems<E: PagedEndpoint, Item: Sendable>: AsyncSequence, Sendable {
    /// An item.
    public typealias Element = Item
    /// What ends the pages early.
    public typealias Failure = RequestError

    let pages: Pages<E>
    let limit: Int
    let items: @Sendable (E.Response) -> [Item]

    /// Begins with the first page.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }

    /// Gives items. Letting go of it ends a request that is under way.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private var pages: Pages<E>.AsyncIterator?
        private var rest: ArraySlice<Item> = []
        private var left: Int
        private let items: @Sendable (E.Response) -> [Item]

        init(_ source: PageItems) {
            pages = source.limit > 0 ? source.pages.makeAsyncIterator() : nil
            left = source.limit
            items = source.items
        }

        /// The next item, or `nil` behind the last.
        public mutating func next() async throws(RequestError) -> Item? { try await next(isolation: nil) }

        /// The next item, or `nil` behind the last.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(RequestError) -> Item? {
            while rest.isEmpty {
                guard let page = try await pages?.next(isolation: actor) else {
                    pages = nil
                    return nil
                }
                rest = items(page).prefix(left)
                // As soon as no more pages are needed, none is on its way.
                if rest.count == left { pages = nil }
                left -= rest.count
            }
            return rest.popFirst()
        }
    }
}

extension HTTPClient {
    /// The pages of an endpoint, one after the other, each fetched when it is asked for.
    ///
    /// ```swift
    /// for try await page in client.pages(TopRated(), limit: 10) { show(page.results) }
    /// ```
    ///
    /// Each page is a call of its own, with a deadline of its own. Secrets stay with the origin of the first endpoint's base URL: a page
    /// at another gets none of the fields marked secret, and one with a secret in its URL or body fails with
    /// ``RequestError/invalidURL(_:)``. When the loop is left, or the task cancelled, a request that is under way ends.
    ///
    /// - Parameters:
    ///   - limit: the most pages that are fetched. Default: all.
    ///   - prefetch: whether a page is fetched while the one before is looked at.
    ///   - allowsRepeats: whether a page may be asked for as an earlier one was, or be the same as the one before to the byte. Unless
    ///     allowed, either ends the sequence with ``RequestError/stream(_:)``, whose position is the page's number: such pages would
    ///     have no end.
    public func pages<E: PagedEndpoint>(
        _ endpoint: E, limit: Int? = nil, prefetch: Bool = false, allowsRepeats: Bool = false
    ) -> Pages<E> {
        Pages(walk: PageWalk(endpoint, session: session, limit: limit, allowsRepeats: allowsRepeats), prefetches: prefetch)
    }

    /// The items of an endpoint's pages, one after the other; a page is fetched when its first item is asked for.
    ///
    /// ```swift
    /// for try await movie in client.items(TopRated(), \.results, limit: 200) { show(movie) }
    /// ```
    ///
    /// - Parameters:
    ///   - items: what of a page its items are.
    ///   - limit: the most items. No page is fetched for more than that. Default: all.
    ///   - prefetch: whether a page is fetched while the items of the one before are looked at.
    ///   - allowsRepeats: as for ``pages(_:limit:prefetch:allowsRepeats:)``.
    public func items<E: PagedEndpoint, Item: Sendable>(
        _ endpoint: E, _ items: @escaping @Sendable (E.Response) -> [Item], limit: Int? = nil, prefetch: Bool = false,
        allowsRepeats: Bool = false
    ) -> PageItems<E, Item> {
        PageItems(
            pages: pages(endpoint, prefetch: prefetch, allowsRepeats: allowsRepeats), limit: limit ?? .max, items: items)
    }
}
