public import PlatformBase

/// An endpoint whose answer is a page, and that knows which page comes next.
///
/// ```swift
/// extension TopRated: PagedEndpoint {
///     func next(after page: Page<Movie>, response: HTTPResponse) -> TopRated? {
///         page.page < min(page.totalPages, 500) ? TopRated(page: page.page + 1) : nil
///     }
/// }
/// for try await page in client.pages(TopRated()) { … }
/// ```
///
/// For the usual ways of paging there are protocols that ask for less: ``NumberedPageEndpoint``, ``OffsetPageEndpoint``,
/// ``CursorPageEndpoint`` and ``LinkedPageEndpoint``.
public protocol PagedEndpoint: ResponseEndpoint {
    /// The endpoint of the page after `page`; `nil` when that was the last.
    ///
    /// - Parameter response: the page's answer: status, fields, and what it cost. Its body is empty: it has been read to make the page.
    func next(after page: Response, response: HTTPResponse) -> Self?
}

/// Pages that are counted: `?page=2`.
///
/// ```swift
/// struct TopRated: TMDBEndpoint, NumberedPageEndpoint {
///     typealias Response = Page<Movie>
///     var page = 1
///     var path: Path { "movie/top_rated" }
///     var query: Query { ["page": page] }
///     var lastPage: Int? { 500 }                                            // TMDB gives no more, whatever it counts
///     func pageCount(_ page: Page<Movie>) -> Int? { page.totalPages }
/// }
/// ```
public protocol NumberedPageEndpoint: PagedEndpoint {
    /// The number of the page that the endpoint asks for.
    var page: Int { get set }
    /// The highest number that the server answers, where there is one. Default: `nil`.
    var lastPage: Int? { get }
    /// How many pages there are, counted from the number of the first; `nil` where the server doesn't say, and then an answer that
    /// ``isLast(_:)`` ends them.
    func pageCount(_ page: Response) -> Int?
    /// Whether a page is the last by what it holds: nothing, for most servers. Default: `false`.
    func isLast(_ page: Response) -> Bool
}

extension NumberedPageEndpoint {
    /// `nil`.
    public var lastPage: Int? { nil }
    /// `false`.
    public func isLast(_ page: Response) -> Bool { false }

    /// The page with the next number, if there is one.
    public func next(after page: Response, response: HTTPResponse) -> Self? {
        let last = min(pageCount(page) ?? .max, lastPage ?? .max)
        guard !isLast(page), self.page < last else { return nil }
        var next = self
        next.page += 1
        return next
    }
}

/// Pages that begin behind so many items: `?offset=40&limit=20`.
public protocol OffsetPageEndpoint: PagedEndpoint {
    /// How many items come before the page.
    var offset: Int { get set }
    /// How many items the page has. None ends the pages.
    func itemCount(_ page: Response) -> Int
    /// How many items there are in all, where the server says so. Default: `nil`.
    func itemTotal(_ page: Response) -> Int?
}

extension OffsetPageEndpoint {
    /// `nil`.
    public func itemTotal(_ page: Response) -> Int? { nil }

    /// The page behind the items of this one, if there are more.
    public func next(after page: Response, response: HTTPResponse) -> Self? {
        let (end, isOverflow) = offset.addingReportingOverflow(itemCount(page))
        guard !isOverflow, end > offset, end < itemTotal(page) ?? .max else { return nil }
        var next = self
        next.offset = end
        return next
    }
}

/// Pages of which each names the next by a word of the server's: `?cursor=dXNlcj0x`.
public protocol CursorPageEndpoint: PagedEndpoint {
    /// What the page before said; `nil` for the first page.
    var cursor: String? { get set }
    /// What the page says of the next one; `nil`, or an empty text, for the last.
    func nextCursor(_ page: Response) -> String?
}

extension CursorPageEndpoint {
    /// The page that this one names, if it does.
    public func next(after page: Response, response: HTTPResponse) -> Self? {
        guard let cursor = nextCursor(page), !cursor.isEmpty else { return nil }
        var next = self
        next.cursor = cursor
        return next
    }
}

/// Pages that link to the next in a field: `Link: <…>; rel="next"` (RFC 8288).
///
/// ```swift
/// struct Issues: GitHubEndpoint, LinkedPageEndpoint {
///     typealias Response = [Issue]
///     var pageURL: URL?
///     var path: Path { "issues" }
/// }
/// ```
///
/// The link is followed as it is, whatever path and query the endpoint has; method, fields and body stay the endpoint's. Its secrets
/// stay with the origin of its base URL: a link to another gets none of them.
public protocol LinkedPageEndpoint: PagedEndpoint {
    /// The page to ask for; `nil` for the first, which base, path and query describe.
    ///
    /// It counts in every call, not in ``HTTPClient/pages(_:limit:prefetch:allowsRepeats:)`` alone: one that was kept is where `send` and
    /// the others go on.
    var pageURL: URL? { get set }
}

extension LinkedPageEndpoint {
    /// The page that the answer links to, if it does. A link that is no URL ends its call with ``RequestError/invalidURL(_:)``.
    public func next(after page: Response, response: HTTPResponse) -> Self? {
        guard let target = response.head.target(ofLink: "next"), let url = target.url ?? PageLink.unreadable(target) else { return nil }
        var next = self
        next.pageURL = url
        return next
    }
}
