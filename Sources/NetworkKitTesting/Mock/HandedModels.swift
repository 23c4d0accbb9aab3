internal import NetworkKit
internal import PlatformBase

/// Models on their way from a stub to the call: the body is a ticket, and the session's decoder gives the model for it.
final class HandedModels: ResponseDecoder {
    private struct State {
        var models: [Data: any Sendable] = [:]
        var lastTicket = 0
    }

    private let state = Lock(State())
    private let other: JSONDecoder = .json

    /// Takes a model, and gives the ticket for it: JSON, for whoever looks at the body.
    func take(_ model: any Sendable) -> Data {
        let type = "\(Swift.type(of: model))"
        return state.withLock { state in
            state.lastTicket += 1
            let ticket = Data(#"{"mock": \#(state.lastTicket), "model": "\#(type)"}"#.utf8)
            state.models[ticket] = model
            return ticket
        }
    }

    func decode<Model: Decodable>(_ type: Model.Type, from data: Data) throws -> Model {
        guard let model = state.withLock({ $0.models[data] }) else { return try other.decode(type, from: data) }
        if let wanted = model as? Model { return wanted }
        throw DecodingError.typeMismatch(
            type, .init(codingPath: [], debugDescription: "the mock answers with a \(Swift.type(of: model)), not a \(type)"))
    }
}
