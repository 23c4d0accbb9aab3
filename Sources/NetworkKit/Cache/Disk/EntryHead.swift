internal import PlatformBase

/// What a file says of an answer besides its body. The URL isn't in it, only its hash: it may hold a secret.
struct EntryHead: Sendable {
    /// Which URL it is an answer of. A file that somebody gave another name isn't taken for another URL's.
    let key: SipHash.Value
    let response: StoredResponse

    /// The head as bytes, at least `length` of them: zeros stand behind what is shorter.
    func encoded(atLeast length: Int = 0) -> [UInt8] {
        var writer = ByteWriter()
        writer.add(key.low)
        writer.add(key.high)
        writer.add(UInt32(truncatingIfNeeded: response.status.code))
        writer.add(response.requestTime.timeIntervalSince1970.bitPattern)
        writer.add(response.responseTime.timeIntervalSince1970.bitPattern)
        writer.add(response.variant)
        writer.add(UInt32(response.headers.count))
        for field in response.headers {
            writer.add(field.name.rawName)
            writer.add(field.value)
            writer.add(UInt32(field.isSecret ? 1 : 0))
        }
        if writer.bytes.count < length { writer.bytes += repeatElement(0, count: length - writer.bytes.count) }
        return writer.bytes
    }

    init(key: SipHash.Value, response: StoredResponse) {
        self.key = key
        self.response = response
    }

    /// Reads a head; `nil` for bytes that are none.
    init?(_ bytes: UnsafeRawBufferPointer) {
        var reader = ByteReader(bytes)
        guard let low = reader.number(UInt64.self), let high = reader.number(UInt64.self), let status = reader.number(UInt32.self),
            let requestTime = reader.date(), let responseTime = reader.date(), let variant = reader.variant(),
            let count = reader.number(UInt32.self), count <= bytes.count / 12, (100...999).contains(status)
        else { return nil }
        var fields: [HTTPField] = []
        fields.reserveCapacity(Int(count))
        for _ in 0..<count {
            guard let name = reader.text(), let value = reader.text(), let isSecret = reader.number(UInt32.self), isSecret <= 1 else {
                return nil
            }
            fields.append(HTTPField(name: HTTPField.Name(name), value: value, isSecret: isSecret == 1))
        }
        guard reader.rest.allSatisfy({ $0 == 0 }) else { return nil }
        key = SipHash.Value(low: low, high: high)
        response = StoredResponse(
            variant: variant, status: HTTPStatus(Int(status)), headers: HTTPFields(fields), requestTime: requestTime,
            responseTime: responseTime)
    }
}

extension CacheVariant {
    /// The variant as bytes, of which its hash is made.
    var encoded: [UInt8] {
        var writer = ByteWriter()
        writer.add(self)
        return writer.bytes
    }
}

extension ByteWriter {
    fileprivate mutating func add(_ variant: CacheVariant) {
        add(optional: variant.identity)
        add(UInt32(variant.selectors.count))
        for selector in variant.selectors {
            add(selector.name)
            add(optional: selector.value)
        }
    }
}

extension ByteReader {
    fileprivate mutating func variant() -> CacheVariant? {
        guard let identity = optionalText(), let count = number(UInt32.self), count <= rest.count / 8 else { return nil }
        var selectors: [CacheVariant.Selector] = []
        for _ in 0..<count {
            guard let name = text(), let value = optionalText() else { return nil }
            selectors.append(CacheVariant.Selector(name: name, value: value))
        }
        return CacheVariant(identity: identity, selectors: selectors)
    }

    fileprivate mutating func date() -> Date? {
        guard let bits = number(UInt64.self) else { return nil }
        let seconds = Double(bitPattern: bits)
        // What is far outside of any calendar can't be counted with.
        return abs(seconds) < 1e12 ? Date(timeIntervalSince1970: seconds) : nil
    }
}
