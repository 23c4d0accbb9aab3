import NetworkKit
import PlatformBase

@testable import MoviesExample

/// The service of the tutorial's tests: it answers from texts, or with one failure.
final class MoviesServiceMock: MoviesServiceable {
    private let failure: RequestError?
    private let asked = Lock<[String]>([])

    init(failure: RequestError? = nil) { self.failure = failure }

    /// What was asked for, in order.
    var calls: [String] { asked.withLock { $0 } }

    private func load<Model: Decodable>(_ call: String, _ json: String, _ type: Model.Type) -> Result<Model, RequestError> {
        asked.withLock { $0.append(call) }
        if let failure { return .failure(failure) }
        do {
            return .success(try JSONDecoder().decode(type, from: Data(json.utf8)))
        } catch {
            return .failure(.decode(.init(reason: "\(error)")))
        }
    }

    func topRated(page: Int, language: String?, region: String?) async -> Result<Page<Movie>, RequestError> {
        load("top \(page) \(language ?? "-") \(region ?? "-")", Twins.page, Page<Movie>.self)
    }

    func search(_ text: String, page: Int, language: String?, region: String?) async -> Result<Page<Movie>, RequestError> {
        load("search \(text) \(page)", Twins.page, Page<Movie>.self)
    }

    func all(_ search: String?, limit: Int, language: String?, region: String?) async -> Result<[Movie], RequestError> {
        load("all \(search ?? "-") \(limit)", Twins.page, Page<Movie>.self).map(\.results)
    }

    func detail(id: Int, language: String?) async -> Result<MovieDetails, RequestError> {
        load("detail \(id) \(language ?? "-")", Twins.details, MovieDetails.self)
    }

    func credits(id: Int, language: String?) async -> Result<Credits, RequestError> {
        load("credits \(id)", Twins.credits, Credits.self)
    }

    func configuration() async -> Result<ImageConfiguration, RequestError> {
        load("configuration", Twins.configuration, ImageConfiguration.self)
    }

    func image(
        at address: URL, to file: URL, progress: @escaping @Sendable (TransferProgress) -> Void
    ) async -> Result<URL, RequestError> {
        asked.withLock { $0.append("image \(address) \(file.lastPathComponent)") }
        if let failure { return .failure(failure) }
        progress(TransferProgress(completed: 2_500_000, total: 2_500_000))
        return .success(file)
    }
}
