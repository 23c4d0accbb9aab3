internal import NetworkKit
internal import PlatformBase

extension TransportConformance {
    static let cancellationCases = Area.cancellation.cases([
        ConformanceRule("cancelled-before", "Transport", "A task cancelled before it sends gets its cancellation, and nothing is sent") {
            bench in
            let server = try await bench.serve { routes in routes.fallback { _ in .text("x") } }
            for delivery in [CallContext.Delivery.stream, .value] {
                let task = bench.task {
                    withUnsafeCurrentTask { $0?.cancel() }
                    return await bench.outcome(server.baseURL, delivery: delivery)
                }
                try expectCancellation(await task.value)
            }
            try expect("the requests", server.requestCount, is: 0)
        },
        ConformanceRule("cancelled-before-head", "Transport", "Cancelling while the server is silent ends the request and its connection") {
            bench in
            let server = try await bench.serve { routes in routes.fallback { _ in .stalled } }
            for (count, delivery) in [CallContext.Delivery.stream, .value].enumerated() {
                let task = bench.task { await bench.outcome(server.baseURL, delivery: delivery) }
                await server.waitForRequests(count + 1)
                task.cancel()
                try expectCancellation(await task.value)
                await server.waitUntilIdle()
            }
        },
        ConformanceRule("cancelled-in-body", "ResponseBody", "Cancelling while the body is read ends the reading and the connection") {
            bench in
            let server = try await bench.serve { routes in
                routes.get("/") { _ in .text("0123456789").stalling(afterBodyBytes: 5) }
            }
            for (count, delivery) in [CallContext.Delivery.stream, .value].enumerated() {
                let (pieces, piece) = AsyncStream<Void>.makeStream()
                let task = bench.task { () async -> RequestError? in
                    do throws(RequestError) {
                        let response = try await bench.send(server.baseURL, delivery: delivery)
                        for try await _ in response.body { piece.yield() }
                        return nil
                    } catch {
                        return error
                    }
                }
                await server.waitForRequests(count + 1)
                // A value comes as a whole or not at all.
                if delivery == .stream { for await _ in pieces { break } }
                task.cancel()
                try expectCancellation(await task.value)
                await server.waitUntilIdle()
            }
        },
        ConformanceRule("cancelled-while-sending", "Transport", "Cancelling while the body is sent ends the request and its connection") {
            bench in
            let server = try await bench.serve { routes in
                routes.stream(.post, "/") { exchange in
                    while try await exchange.readChunk() != nil {}
                    try await exchange.sendHead(200)
                }
            }
            let (stream, pieces) = AsyncStream<Data>.makeStream()
            pieces.yield(Data("the first of many".utf8))
            let task = bench.task { await bench.outcome(server.baseURL, .post, body: .stream(stream)) }
            await server.waitForRequests(1)
            task.cancel()
            try expectCancellation(await task.value)
            await server.waitUntilIdle()
            pieces.finish()
            try expect(!server.requests.contains(where: \.isComplete), "the server took the request for whole")
        },
        ConformanceRule("cancelled-alone", "Transport", "Cancelling one request leaves the others alone") { bench in
            let gate = LoopbackGate()
            let server = try await bench.serve { routes in
                routes.get("/") { _ in
                    await gate.wait()
                    return .text("answered")
                }
            }
            let tasks = (0..<4).map { _ in bench.task { await bench.outcome(server.baseURL) } }
            await server.waitForRequests(4)
            tasks[1].cancel()
            try expectCancellation(await tasks[1].value)
            gate.open()
            for index in [0, 2, 3] { try expect(await tasks[index].value == nil, "a request that wasn't cancelled failed") }
        },
        ConformanceRule("cancelled-often", "Transport", "Requests cancelled at any moment end, and the transport goes on", demanding: true)
        {
            bench in
            let content = Data(repeating: 7, count: 20_000)
            let server = try await bench.serve { routes in routes.get("/") { _ in .data(content) } }
            for round in 0..<40 {
                await withTaskGroup { group in
                    for yields in 0..<10 {
                        group.addTask {
                            let task = bench.task { await bench.outcome(server.baseURL) }
                            for _ in 0..<(yields * round) { await Task.yield() }
                            task.cancel()
                            _ = await task.value
                        }
                    }
                }
            }
            try expect(try await bench.answer(server.baseURL).body == content, "a later body is another than was sent")
        },
    ])
}

private func expectCancellation(_ error: RequestError?) throws(ConformanceFailure) {
    guard let error else { throw ConformanceFailure("the cancelled request succeeded") }
    try expect(error.isCancellation, "the error is another than the cancellation: \(error)")
}

extension ConformanceBench {
    /// The error of a request whose answer is read whole; `nil` when it went well.
    fileprivate func outcome(
        _ url: URL, _ method: HTTPMethod = .get, body: RequestBody? = nil, delivery: CallContext.Delivery = .stream
    ) async -> RequestError? {
        do throws(RequestError) {
            _ = try await answer(url, method, body: body, delivery: delivery)
            return nil
        } catch {
            return error
        }
    }
}
