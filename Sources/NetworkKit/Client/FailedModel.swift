extension FailedResponse {
    /// What the server says of its failure, in a form of its own: the body, read as a model.
    ///
    /// ```swift
    /// if let problem = try? error.response?.decoded(as: APIProblem.self) { show(problem.message) }
    /// ```
    ///
    /// For the standard form there is ``RequestError/problem``. Of a body over 64 KiB only the beginning is kept, which no JSON is.
    ///
    /// - Parameters:
    ///   - type: the model.
    ///   - decoder: reads it. Default: JSON with RFC 3339 dates.
    /// - Throws: ``RequestError/decode(_:)`` with the place and the piece of the body around it.
    public func decoded<Model: Decodable>(
        as type: Model.Type = Model.self, decoder: any ResponseDecoder = .json
    ) throws(RequestError) -> Model {
        try ModelDecoding.model(type, from: body, head: head, decoder: decoder)
    }
}
