import PlatformBase
import Testing

@testable import NetworkKit

@Suite("What the cache nearest by says")
struct CacheStatusTests {
    @Test(
        "Its handling and the time that is left are those of the last member of Cache-Status",
        arguments: [
            (["NetworkKit; hit; ttl=18"], "hit", 18), (["Edge; hit; ttl=5", "NetworkKit; fwd=uri-miss; stored"], "fwd=uri-miss", nil),
            (["Edge; fwd=stale, Near;hit;ttl=-100"], "hit", -100), (["Near; ttl=30; hit"], "hit", 30),
            ([#"Near; detail="a, b; ttl=1 \"; hit"; ttl=7"#], nil, 7), (["Near"], nil, nil), (["Near; hit; ttl=soon"], "hit", nil),
            (["Near; hit; ttl=99999999999999999999"], "hit", nil), ([""], nil, nil), ([#"Near; detail="hit; ttl=3"#], nil, nil),
            (["Near; hit; ttl=1; ttl=2"], "hit", 2),
        ] as [([String], String?, Int?)])
    func lastMember(lines: [String], handling: String?, seconds: Int?) {
        let fields = HTTPFields(lines.map { HTTPField(name: "Cache-Status", value: $0) })
        #expect(CacheStatus(nearestIn: fields)?.handling == handling)
        #expect(CacheStatus(nearestIn: fields)?.timeToLive == seconds)
    }

    @Test("An answer that no cache has had a hand in has no time to live")
    func none() throws {
        let url = try #require(URL(string: "https://a.test/"))
        #expect(ResponseHead(status: 200, url: url).cacheTimeToLive == nil)
        #expect(ResponseHead(status: 200, headers: ["Cache-Status": "A; hit; ttl=60"], url: url).cacheTimeToLive == .seconds(60))
    }
}
