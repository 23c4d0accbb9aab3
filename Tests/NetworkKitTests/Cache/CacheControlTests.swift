import Testing

@testable import NetworkKit

@Suite("Reading Cache-Control")
struct CacheControlTests {
    private static let table: [(lines: [String], expected: CacheControl)] = [
        ([], .of { _ in }),
        (["max-age=60"], .of { $0.maxAge = 60 }),
        (
            ["MAX-AGE=60, No-StOrE"],
            .of {
                $0.maxAge = 60; $0.isNoStore = true
            }
        ),
        (
            ["max-age=60", "no-cache"],
            .of {
                $0.maxAge = 60; $0.isNoCache = true
            }
        ),
        (["max-age=003600"], .of { $0.maxAge = 3600 }),
        (["max-age=\"3600\""], .of { $0.maxAge = 3600 }),
        // No number allows nothing.
        (["max-age='3600'"], .of { $0.maxAge = 0 }),
        (["max-age=-60"], .of { $0.maxAge = 0 }),
        (["max-age=60.5"], .of { $0.maxAge = 0 }),
        (["max-age=60a"], .of { $0.maxAge = 0 }),
        (["max-age"], .of { $0.maxAge = 0 }),
        (["max-age="], .of { $0.maxAge = 0 }),
        (["max-age =60"], .of { $0.maxAge = 0 }),
        (["max-age= 60"], .of { $0.maxAge = 0 }),
        // As much as is ever counted.
        (["max-age=2147483647"], .of { $0.maxAge = (1 << 31) - 1 }),
        (["max-age=2147483648"], .of { $0.maxAge = 1 << 31 }),
        (["max-age=99999999999999999999999999"], .of { $0.maxAge = 1 << 31 }),
        // The first counts.
        (["max-age=1, max-age=1800"], .of { $0.maxAge = 1 }),
        (["max-age=1800", "max-age=1"], .of { $0.maxAge = 1800 }),
        // What is quoted is one value.
        (["extension=\"max-age=3600, no-store\", max-age=1"], .of { $0.maxAge = 1 }),
        (["extension=\"a\\\", max-age=3600\", max-age=1"], .of { $0.maxAge = 1 }),
        (
            ["no-cache=\"a, B\", max-age=1"],
            .of {
                $0.noCacheFields = ["a", "b"]; $0.maxAge = 1
            }
        ),
        (["no-cache=\"\""], .of { $0.isNoCache = true }),
        (["private=\"Set-Cookie\""], .of { $0.privateFields = ["set-cookie"] }),
        (
            ["private, public"],
            .of {
                $0.isPrivate = true; $0.isPublic = true
            }
        ),
        (
            ["s-maxage=5,proxy-revalidate,must-revalidate,must-understand,immutable"],
            .of {
                $0.sharedMaxAge = 5; $0.proxyRevalidate = true; $0.mustRevalidate = true; $0.mustUnderstand = true; $0.isImmutable = true
            }
        ),
        (
            ["stale-while-revalidate=7, stale-if-error=8"],
            .of {
                $0.staleWhileRevalidate = 7; $0.staleIfError = 8
            }
        ),
        (["max-stale"], .of { $0.maxStale = CacheControl.limit }),
        (
            ["max-stale=9, min-fresh=3, only-if-cached"],
            .of {
                $0.maxStale = 9; $0.minFresh = 3; $0.onlyIfCached = true
            }
        ),
        // Garbage is nothing, and harms nothing.
        ([",,, ;;; \u{FF}=\u{0}, \"unclosed, max-age=5"], .of { _ in }),
        (["\\\"\\, max-age=5, ="], .of { _ in }),
    ]

    @Test("Directives, their numbers, lists and faults", arguments: table)
    func directives(lines: [String], expected: CacheControl) {
        #expect(CacheControl(lines) == expected)
    }
}

extension CacheControl {
    fileprivate static func of(_ change: (inout CacheControl) -> Void) -> CacheControl {
        var control = CacheControl()
        change(&control)
        return control
    }
}
