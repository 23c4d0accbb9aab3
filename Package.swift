// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

// libcurl and zlib are on every machine that can run Swift networking: libFoundationNetworking.so links libcurl.so.4,
// and libcurl depends on zlib. The names are those of the run-time libraries, so that no -dev package is needed.
let onLinux: [Platform] = [.linux]
let onApple: [Platform] = [.macOS, .iOS, .tvOS, .watchOS, .visionOS, .macCatalyst]

let package = Package(
    name: "NetworkKit",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "NetworkKit", targets: ["NetworkKit"]),
        .library(name: "NetworkKitTesting", targets: ["NetworkKitTesting"]),
        .library(name: "NetworkKitTestingTraits", targets: ["NetworkKitTestingTraits"]),
    ],
    traits: [
        .trait(
            name: "URLSession",
            description: "Builds URLSessionTransport on Linux too, to compile and test it there. Not for use: see its documentation."),
        .default(enabledTraits: []),
    ],
    targets: [
        .target(name: "CCurl", linkerSettings: [.linkedLibrary(":libcurl.so.4", .when(platforms: onLinux))]),
        .target(
            name: "CZlib",
            linkerSettings: [.linkedLibrary(":libz.so.1", .when(platforms: onLinux)), .linkedLibrary("z", .when(platforms: onApple))]),
        .target(name: "PlatformBase", swiftSettings: settings),
        .target(
            name: "NetworkKit",
            dependencies: [
                "PlatformBase", "CZlib",
                .target(name: "CCurl", condition: .when(platforms: onLinux)),
            ],
            swiftSettings: settings),
        .target(name: "NetworkKitTesting", dependencies: ["NetworkKit", "PlatformBase"], swiftSettings: settings),
        .target(
            name: "NetworkKitTestingTraits", dependencies: ["NetworkKit", "NetworkKitTesting", "PlatformBase"], swiftSettings: settings),

        .target(
            name: "ExampleSupport", dependencies: ["NetworkKit", "PlatformBase"], path: "Examples/ExampleSupport", swiftSettings: settings),
        .executableTarget(
            name: "WeatherExample", dependencies: ["NetworkKit", "NetworkKitTesting", "ExampleSupport", "PlatformBase"],
            path: "Examples/WeatherExample", swiftSettings: settings),
        .executableTarget(
            name: "MoviesExample", dependencies: ["NetworkKit", "NetworkKitTesting", "ExampleSupport", "PlatformBase"],
            path: "Examples/MoviesExample", swiftSettings: settings),

        .target(name: "TestSupport", dependencies: ["PlatformBase"], path: "Tests/TestSupport", swiftSettings: settings),
        .target(
            name: "CurlBaseline", dependencies: [.target(name: "CCurl", condition: .when(platforms: onLinux))], path: "Tests/CurlBaseline"),
        .executableTarget(name: "StartupOneGet", dependencies: ["NetworkKit"], path: "Tests/StartupOneGet", swiftSettings: settings),
        .executableTarget(name: "CacheFiller", dependencies: ["NetworkKit"], path: "Tests/CacheFiller", swiftSettings: settings),
        .executableTarget(
            name: "ConformanceDriver", dependencies: ["NetworkKit", "PlatformBase"], path: "Tests/ConformanceDriver",
            swiftSettings: settings),
        .executableTarget(
            name: "NetworkKitBenchmarks",
            dependencies: [
                "NetworkKit", "NetworkKitTesting", "PlatformBase",
                "StartupOneGet", "TestSupport", .target(name: "CurlBaseline", condition: .when(platforms: onLinux)),
            ],
            path: "Tests/NetworkKitBenchmarks", swiftSettings: settings),

        .testTarget(
            name: "NetworkKitTests",
            dependencies: [
                "NetworkKit", "NetworkKitTesting", "PlatformBase", "TestSupport", "CacheFiller",
                .target(name: "CCurl", condition: .when(platforms: onLinux)),
            ],
            exclude: ["Servers"], swiftSettings: settings),
        .testTarget(
            name: "MainActorAppTests", dependencies: ["NetworkKit", "NetworkKitTesting", "PlatformBase"],
            swiftSettings: [
                .defaultIsolation(MainActor.self),
                .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
                .enableUpcomingFeature("InferIsolatedConformances"),
            ]),
        .testTarget(
            name: "NetworkKitTestingTests",
            dependencies: ["NetworkKit", "NetworkKitTesting", "NetworkKitTestingTraits", "PlatformBase", "CZlib"],
            exclude: ["Documentation/Cassettes", "Traits/Cassettes"], swiftSettings: settings),
        .target(
            name: "ExampleTestSupport", dependencies: ["ExampleSupport", "TestSupport", "PlatformBase"], path: "Tests/ExampleTestSupport",
            swiftSettings: settings),
        .testTarget(
            name: "ExampleSupportTests", dependencies: ["ExampleSupport", "ExampleTestSupport", "NetworkKit", "PlatformBase"],
            swiftSettings: settings),
        .testTarget(
            name: "WeatherExampleTests",
            dependencies: [
                "WeatherExample", "ExampleSupport", "ExampleTestSupport", "TestSupport", "NetworkKit", "NetworkKitTesting", "PlatformBase",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "ConformanceDriverTests",
            dependencies: ["ConformanceDriver", "ExampleTestSupport", "NetworkKitTesting", "NetworkKit", "PlatformBase"],
            swiftSettings: settings),
        .testTarget(
            name: "NetworkKitBenchmarksTests", dependencies: ["NetworkKitBenchmarks", "ExampleTestSupport", "PlatformBase"],
            swiftSettings: settings),
        .testTarget(
            name: "MoviesExampleTests",
            dependencies: [
                "MoviesExample", "ExampleSupport", "ExampleTestSupport", "TestSupport", "NetworkKit", "NetworkKitTesting", "PlatformBase",
            ],
            swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)
