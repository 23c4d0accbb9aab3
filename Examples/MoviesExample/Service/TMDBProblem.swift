internal import NetworkKit
internal import PlatformBase

/// What TMDB says of a failure. Three shapes are known: `{"success", "status_code", "status_message"}`, the same without
/// `success`, and `{"errors": […]}`. Its `status_code` is a number of its own, not HTTP's.
struct TMDBProblem: Decodable {
    private let statusMessage: String?
    private let errors: [String]?

    private enum CodingKeys: String, CodingKey {
        case errors
        case statusMessage = "status_message"
    }

    /// The sentence, if there is one.
    static func words(in response: FailedResponse?) -> String? {
        guard let response, let problem = try? JSONDecoder().decode(Self.self, from: response.body) else { return nil }
        if let message = problem.statusMessage, !message.isEmpty { return message }
        let errors = problem.errors ?? []
        return errors.isEmpty ? nil : errors.joined(separator: "; ")
    }
}
