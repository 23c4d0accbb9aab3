extension HTTPRequest {
    /// The request that an endpoint describes: URL built, body encoded, fields that follow from the body set.
    ///
    /// - Parameter encoder: encodes bodies that bring no encoder of their own.
    /// - Throws: ``RequestError/invalidURL(_:)``, ``RequestError/encode(_:)`` or ``RequestError/file(_:)``. Nothing has been sent.
    public init(_ endpoint: some Endpoint, encoder: any RequestEncoder = .json) throws(RequestError) {
        try self.init(endpoint, encoder: encoder, context: CallContext())
    }

    /// The same, within a call.
    init(_ endpoint: some Endpoint, encoder: any RequestEncoder, context: CallContext) throws(RequestError) {
        let target = try EndpointURL(base: endpoint.baseURL, path: endpoint.path, query: endpoint.query)
        self.init(
            url: target.url, method: try HTTPMethod(endpoint.method), headers: endpoint.headers,
            body: try endpoint.body?.encoded(by: encoder), options: endpoint.options, context: context)
        self.context.endpoint = CalledEndpoint(endpoint)
        setChecked(target.url, origin: target.origin)
        var secrets = target.secrets
        if let body { secrets.formUnion(body.secrets) }
        for field in headers where field.isSecret { secrets.insert(field: field) }
        if !secrets.isEmpty { self.context.secrets = secrets }
        if let credentials = target.credentials, !headers.contains(.authorization) { headers.append(credentials) }
        if let type = body?.contentType, !headers.contains(.contentType) {
            headers.append(HTTPField(name: .contentType, value: type))
        }
        if body == nil, headers.contains(.contentType) { headers.removeAll(.contentType) }
        if let key = options.idempotencyKey, !headers.contains(.idempotencyKey) {
            headers.append(HTTPField(name: .idempotencyKey, value: key))
        }
        if let page = PageLink.url(of: endpoint) { try lead(to: page) }
    }
}
