internal import PlatformBase

extension CachedCall {
    /// An answer of the server, which is stored while its caller reads it, if it may be.
    nonisolated(nonsending) func kept(
        _ answer: HTTPResponse, _ reason: CacheDecision.Reason, _ filling: Filling, requestTime: Date
    ) async -> HTTPResponse {
        var response = answer
        let stored = StorageDecision.stored(
            response.head, to: request, directives: directives, identity: identity, isShared: cache.isShared, requestTime: requestTime,
            responseTime: request.context.clock.date)
        if stored == nil, request.method == .get, response.status.replacesStored, reason == .stale || reason == .request {
            // The server has another answer now, and doesn't let it be kept.
            for entry in await cache.store.entries(for: key) where entry.response.variant.fits(request, identity: identity) {
                await cache.store.remove(entry, of: key)
            }
        }
        if request.method == .head { await updateByHead(response.head, requestTime: requestTime) }
        response.metrics.cache = .miss
        // A small body is here as a whole, as a rule, and can be kept at once. What is long is written while it is read.
        if let stored, let body = response.body.held, response.body.note(.miss) {
            let isStored = await filling.commit(body, stored)
            response.head.headers.add(cacheStatus: CacheStatusField.forwarded(reason, to: response.status, isStored: isStored))
            return response
        }
        var writer: (any CacheWriter)?
        if let stored, filling.isValid {
            writer = await cache.store.writer(for: key, response: stored, length: response.body.expectedLength)
        }
        response.head.headers.add(cacheStatus: CacheStatusField.forwarded(reason, to: response.status, isStored: writer != nil))
        guard let writer else {
            filling.end(.notStored)
            return response
        }
        if response.body.expectedLength == 0 {
            // Nobody need read what isn't there.
            await filling.commit(writer)
        } else {
            // A stream may be read slowly, or never; those who wait for the same don't wait for that.
            if request.context.delivery == .stream { filling.letOthersGo(.notStored) }
            response.body = response.body.map { StoringBody($0, writer, filling) }
        }
        return response
    }

    /// RFC 9111 §4.3.5: the answer to HEAD says what the one to GET would say now.
    private nonisolated(nonsending) func updateByHead(_ head: ResponseHead, requestTime: Date) async {
        guard head.status == 200 else { return }
        for entry in await cache.store.entries(for: key) where entry.response.variant.fits(request, identity: identity) {
            if entry.response.status == 200 && entry.response.agrees(with: head.headers) {
                await renew(entry, with: head.headers, requestTime: requestTime)
            } else {
                await cache.store.remove(entry, of: key)
            }
        }
    }
}

extension CachedCall {
    /// An entry with the fields of a newer answer without a body, and whether it may be kept with them.
    func renewed(_ entry: CacheEntry, with newer: HTTPFields, requestTime: Date) -> (entry: CacheEntry, mayStay: Bool) {
        let response = entry.response.updated(
            with: newer, requestTime: requestTime, responseTime: request.context.clock.date, isShared: cache.isShared)
        return (
            CacheEntry(id: entry.id, response: response, length: entry.length),
            StorageDecision.mayStay(response, with: request, identity: identity, isShared: cache.isShared)
        )
    }

    /// Gives an entry the fields of a newer answer without a body, or removes it where they say that it may not be kept.
    nonisolated(nonsending) func renew(_ entry: CacheEntry, with newer: HTTPFields, requestTime: Date) async {
        let (new, mayStay) = renewed(entry, with: newer, requestTime: requestTime)
        if mayStay {
            await cache.store.update(entry, of: key, to: new.response)
        } else {
            await cache.store.remove(entry, of: key)
        }
    }
}

extension StoredResponse {
    /// Whether newer fields are about the same body. A body that was decoded has no length to be compared.
    fileprivate func agrees(with newer: HTTPFields) -> Bool {
        [HTTPField.Name.eTag, .lastModified].allSatisfy { newer[$0] == nil || newer[$0] == headers[$0] }
            && (newer[.contentLength] == nil || headers[.contentLength] == nil || newer[.contentLength] == headers[.contentLength])
    }
}

/// A body that is stored while it is read: whole, or not at all.
private final class StoringBody: BodyWrapper {
    let source: any BodySource
    private let storing: Lock<Storing?>

    private struct Storing: Sendable {
        let writer: any CacheWriter
        let filling: Filling
    }

    init(_ source: any BodySource, _ writer: any CacheWriter, _ filling: Filling) {
        self.source = source
        storing = Lock(Storing(writer: writer, filling: filling))
    }

    var metrics: RequestMetrics? {
        var metrics = source.metrics
        metrics?.cache = .miss
        return metrics
    }

    func next(isolation: isolated (any Actor)?) async throws(RequestError) -> Data? {
        do throws(RequestError) {
            guard let chunk = try await source.next(isolation: isolation) else {
                await commit()
                return nil
            }
            await append(chunk)
            return chunk
        } catch {
            abandon()
            throw error
        }
    }

    func collect(upTo limit: Int) async throws(RequestError) -> Data {
        do throws(RequestError) {
            let data = try await source.collect(upTo: limit)
            if !data.isEmpty { await append(data) }
            await commit()
            return data
        } catch {
            abandon()
            throw error
        }
    }

    func end() {
        source.end()
        abandon()
    }

    private nonisolated(nonsending) func append(_ bytes: Data) async {
        guard let writer = storing.withLock({ $0?.writer }) else { return }
        if await !writer.append(bytes) { abandon() }
    }

    private nonisolated(nonsending) func commit() async {
        guard let storing = storing.withLock({ $0.take() }) else { return }
        await storing.filling.commit(storing.writer)
    }

    private func abandon() {
        guard let storing = storing.withLock({ $0.take() }) else { return }
        storing.writer.abandon()
        storing.filling.end(.notStored)
    }
}
