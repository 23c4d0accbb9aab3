internal import PlatformBase

extension HTTPRequest {
    /// The last check before bytes are made (RFC 9110 §5.1, §5.5, §9.1; RFC 3986), and the one place for it: the session calls it
    /// behind the innermost interceptor, and transports call it when they are used alone. Whatever could smuggle a second request
    /// onto the wire, or contradict itself about where the body ends, is refused here.
    ///
    /// The result is the request as it is sent: user information in the URL has become `Authorization`, a host outside ASCII its
    /// IDNA form, a body that is still a value its JSON, and framing fields have gone, since the transport makes them from the body.
    ///
    /// A transport of one's own calls it first, so that it is as safe alone as behind a session.
    ///
    /// - Throws: ``RequestError/invalidURL(_:)``, ``RequestError/encode(_:)`` or ``RequestError/file(_:)``, naming the fault.
    public func checked() throws(RequestError) -> HTTPRequest {
        guard !isChecked else { return self }
        var request = self
        try request.check()
        return request
    }

    /// The same in place.
    mutating func check() throws(RequestError) {
        guard !isChecked else { return }
        do {
            if checkedOrigin == nil { try checkURL() }
            try checkFields()
            try checkBody()
            expectContinue()
            markChecked()
        } catch {
            throw error.retold { $0.add(self) }
        }
    }

    /// The part of the check that is about where the request goes.
    mutating func checkURL() throws(RequestError) {
        let prepared = try RequestURL(url.absoluteString)
        if let credentials = prepared.credentials {
            if !headers.contains(.authorization) { headers.append(credentials) }
            context.secrets.insert(field: credentials)
        }
        setChecked(prepared.isChanged ? try prepared.url() : url, origin: prepared.origin)
    }

    private func checkFields() throws(RequestError) {
        if hasPlainFields { return }
        for field in headers {
            guard Token.isValid(field.name.rawName) else {
                throw .encode(
                    .init(
                        .init(part: .fieldName), reason: "the field name \(Token.quoted(field.name.rawName)) is not a token (RFC 9110 §5.1)"
                    ))
            }
            guard !field.isFaulty else {
                throw .encode(
                    .init(
                        .init(part: .fieldValue(field.name)), reason: "the value of \(field.name) can't be sent: \(field.value)"))
            }
            if let fault = Token.firstForbiddenInFieldValue(field.value) {
                throw .encode(
                    .init(
                        .init(part: .fieldValue(field.name)),
                        reason: "the value of \(field.name) has a \(fault), which could begin another field (RFC 9110 §5.5)"))
            }
        }
    }

    private mutating func checkBody() throws(RequestError) {
        if let body, body.isUnfinished { self.body = try body.encoded(by: .json) }
        if let body, method == .trace || method == .head {
            guard body.length == 0 else {
                throw .encode(.init(.init(part: .body), reason: "a \(method) request can't have a body (RFC 9110 §9.3)"))
            }
            self.body = nil
        }
        try frame()
    }

    /// Makes sure that exactly one framing goes out (RFC 9112 §6.2), which the transport makes: a `Content-Length` of the caller's
    /// own gives a stream its length, and must agree with a known one. A stream without a length is sent chunked.
    private mutating func frame() throws(RequestError) {
        if hasPlainFields { return }
        if let coding = headers[.transferEncoding] {
            guard coding.lowercased() == "chunked" else {
                throw .framing("Transfer-Encoding \(Token.quoted(coding)) can't be sent; only chunked can")
            }
        } else if let text = headers[.contentLength] {
            guard text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }), let stated = Int64(text) else {
                throw .framing("Content-Length \(Token.quoted(text)) is not a number of bytes")
            }
            if case .chunks(nil, let isReplayable, let open) = body?.content {
                body?.content = .chunks(length: stated, isReplayable: isReplayable, open: open)
            }
            let length = body.map(\.length) ?? 0
            guard length == stated else {
                throw .framing("Content-Length says \(stated) bytes, and the body has \(length.map { "\($0)" } ?? "no known length")")
            }
        }
        if headers.contains(.contentLength) { headers.removeAll(.contentLength) }
        if headers.contains(.transferEncoding) { headers.removeAll(.transferEncoding) }
    }
}

extension RequestError {
    fileprivate static func framing(_ reason: String) -> RequestError {
        .encode(.init(.init(part: .framing), reason: reason))
    }
}

extension HTTPField {
    /// Whether the field passes the last check whatever request it is put on, so that the request need not be checked again.
    var isFit: Bool {
        Token.isValid(name.rawName) && !isFaulty && Token.firstForbiddenInFieldValue(value) == nil && name != .contentLength
            && name != .transferEncoding
    }
}
