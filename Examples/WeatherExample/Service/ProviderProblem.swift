internal import NetworkKit
internal import PlatformBase

/// What a weather API says of a failure. Four shapes are known: `{"detail"}`, `{"error"}`, `{"message"}`, and a page of HTML,
/// which is for nobody to read.
struct ProviderProblem: Decodable {
    private let detail, error, message: String?

    /// The sentence, if there is one.
    static func words(in response: FailedResponse?) -> String? {
        guard let response, let problem = try? JSONDecoder().decode(Self.self, from: response.body) else { return nil }
        return problem.detail ?? problem.error ?? problem.message
    }
}
