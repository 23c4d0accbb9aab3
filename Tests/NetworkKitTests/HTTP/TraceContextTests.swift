import Testing

@testable import NetworkKit

@Suite("W3C Trace Context")
struct TraceContextTests {
    private static let trace = "4bf92f3577b34da6a3ce929d0e0e4736"
    private static let span = "00f067aa0ba902b7"

    @Test(
        "What keeps the rules is read, and written in version 00",
        arguments: [
            ("00-\(trace)-\(span)-01", true), ("00-\(trace)-\(span)-00", false), ("00-\(trace)-\(span)-ff", true),
            ("cc-\(trace)-\(span)-01", true), ("cc-\(trace)-\(span)-01-what-comes-later", true), ("  00-\(trace)-\(span)-01 ", true),
        ])
    func right(text: String, isSampled: Bool) throws {
        let context = try #require(TraceContext(traceparent: text))
        #expect(context.traceID == Self.trace && context.spanID == Self.span && context.isSampled == isSampled)
        #expect(context.traceparent == "00-\(Self.trace)-\(Self.span)-\(isSampled ? "01" : "00")")
    }

    @Test(
        "What breaks a rule isn't a context",
        arguments: [
            "", "00", "ff-\(trace)-\(span)-01", "00-\(trace)-\(span)-01-more", "00-\(trace)-\(span)", "0-\(trace)-\(span)-01",
            "00-\(String(repeating: "0", count: 32))-\(span)-01", "00-\(trace)-0000000000000000-01", "00-\(trace.uppercased())-\(span)-01",
            "00-\(trace)0-\(span)-01", "00-\(trace.dropLast())g-\(span)-01", "00-\(trace)-\(span)-1", "00_\(trace)_\(span)_01",
            "cc-\(trace)-\(span)-01.x",
        ])
    func wrong(text: String) { #expect(TraceContext(traceparent: text) == nil) }

    @Test(
        "A list of states is handed on as it is, without what is empty",
        arguments: [
            ("a=1", "a=1"), ("rojo=00f0,congo=t61r", "rojo=00f0,congo=t61r"), (" a=1 , b=2 ,,", "a=1,b=2"),
            ("1t@sys=x y", "1t@sys=x y"), ("a_-*/0=!~", "a_-*/0=!~"),
        ])
    func states(text: String, expected: String) {
        #expect(TraceContext(traceparent: "00-\(Self.trace)-\(Self.span)-01", tracestate: text)?.state == expected)
    }

    @Test(
        "A list that breaks a rule is left out, and the parent stays",
        arguments: [
            "", "a", "=1", "a=", "A=1", "1a=1", "a=1,a=2", "a=b=c", "a=ü", "@a=1", "a@=1", "a@b@c=1",
            (0...32).map { "k\($0)=1" }.joined(separator: ","), "a=" + String(repeating: "x", count: 257),
        ])
    func wrongStates(text: String) throws {
        let context = try #require(TraceContext(traceparent: "00-\(Self.trace)-\(Self.span)-01", tracestate: text))
        #expect(context.state == nil)
    }
}
