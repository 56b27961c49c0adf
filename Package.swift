// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let grpcCore = Target.Dependency.product(name: "GRPCCore", package: "grpc-swift-2")
let sqlite = Target.Dependency.product(name: "GRDBSQLite", package: "GRDB.swift")
let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let httpTypes = Target.Dependency.product(name: "HTTPTypes", package: "swift-http-types")
let hummingbird = Target.Dependency.product(name: "HummingbirdCore", package: "hummingbird")
let locks = Target.Dependency.product(name: "NIOConcurrencyHelpers", package: "swift-nio")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let nioCore = Target.Dependency.product(name: "NIOCore", package: "swift-nio")
let nioEmbedded = Target.Dependency.product(name: "NIOEmbedded", package: "swift-nio")
let nioHPACK = Target.Dependency.product(name: "NIOHPACK", package: "swift-nio-http2")
let nioHTTP1 = Target.Dependency.product(name: "NIOHTTP1", package: "swift-nio")
let nioHTTP2 = Target.Dependency.product(name: "NIOHTTP2", package: "swift-nio-http2")
let nioHTTPTypes = Target.Dependency.product(name: "NIOHTTPTypes", package: "swift-nio-extras")
let nioHTTPTypesHTTP1 = Target.Dependency.product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras")
let nioPosix = Target.Dependency.product(name: "NIOPosix", package: "swift-nio")
let openCombine = Target.Dependency.product(
    name: "OpenCombine",
    package: "OpenCombine",
    condition: .when(platforms: [.linux])
)
let protobuf = Target.Dependency.product(name: "SwiftProtobuf", package: "swift-protobuf")
let services = Target.Dependency.product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
let unixSignals = Target.Dependency.product(name: "UnixSignals", package: "swift-service-lifecycle")

let package = Package(
    name: "firemeter",
    platforms: [.macOS(.v14), .iOS(.v17)],
    products: [
        .executable(name: "emulator", targets: ["emulator"]),
        .executable(name: "audit", targets: ["audit"]),
        .library(name: "FeedClient", targets: ["FeedClient", "FeedPublishers", "Imaging"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.0"),
        .package(url: "https://github.com/apple/swift-nio-http2", from: "1.46.0"),
        .package(url: "https://github.com/apple/swift-protobuf", from: "1.39.0"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/grpc/grpc-swift-2", from: "2.4.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0"),
        .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    targets: [
        // The system's libraries and the little C that Swift cannot do without.
        .systemLibrary(name: "CLibCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(
            name: "CLibJPEG",
            pkgConfig: "libjpeg",
            providers: [.apt(["libjpeg62-turbo-dev"]), .brew(["jpeg-turbo"])]
        ),
        .systemLibrary(name: "CLibPNG", pkgConfig: "libpng", providers: [.apt(["libpng-dev"]), .brew(["libpng"])]),
        .systemLibrary(name: "CLibWebP", pkgConfig: "libwebp", providers: [.apt(["libwebp-dev"]), .brew(["webp"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .target(name: "CCRC32C"),
        .target(name: "CFileExchange", cSettings: [.treatAllWarnings(as: .error)]),
        .target(name: "CProcessMemory", cSettings: [.treatAllWarnings(as: .error)]),
        .target(name: "CMemoryFile", cSettings: [.treatAllWarnings(as: .error)]),
        .target(
            name: "CImageCodecs",
            dependencies: ["CLibJPEG", "CLibPNG", "CLibWebP"],
            cSettings: [.treatAllWarnings(as: .error)]
        ),
        .target(name: "CPhotoPainter", cSettings: [.treatAllWarnings(as: .error)]),

        // JSON: read without losing a digit, and written as Google's services do, with its keys in order.
        .target(name: "Basics", dependencies: ["CZlib"], swiftSettings: strict),
        .target(name: "JSONReading", swiftSettings: strict),
        .target(name: "JSONWriting", swiftSettings: strict),

        // Counting, keeping and logging usage.
        .target(
            name: "Metering",
            dependencies: ["JSONReading"],
            resources: [
                .embedInCode("Profiles/Data/blaze-appspot.json"),
                .embedInCode("Profiles/Data/blaze-firebasestorage-app.json"),
                .embedInCode("Profiles/Data/firestore-nam5.json"),
                .embedInCode("Profiles/Data/firestore-us-central1.json"),
                .embedInCode("Profiles/Data/spark-2023.json"),
            ],
            swiftSettings: strict
        ),
        .target(
            name: "MeterLedger",
            dependencies: ["Basics", "DataFiles", "JSONWriting", "Metering", grdb, locks, nioCore, sqlite],
            exclude: ["README.md"],
            swiftSettings: strict
        ),
        .target(
            name: "SessionLog",
            dependencies: ["Basics", "CZlib", "JSONReading", "Metering"],
            swiftSettings: strict
        ),

        // Firestore's values, names and queries; and the stores, which know nothing of the network.
        .target(name: "FirestoreModel", swiftSettings: strict),
        .target(name: "DataFiles", dependencies: ["Basics", locks], swiftSettings: strict),
        .target(
            name: "DocumentStore",
            dependencies: ["DataFiles", "FirestoreModel", locks, sqlite],
            swiftSettings: strict
        ),
        .target(
            name: "ObjectStore",
            dependencies: ["Basics", "CCRC32C", "CLibCrypto", "DataFiles", grdb, locks],
            swiftSettings: strict
        ),

        // The servers.
        .target(
            name: "Wire",
            dependencies: [
                "Basics", "CMemoryFile", "JSONReading", "JSONWriting", "Metering", httpTypes, hummingbird, locks,
                logging,
                nioCore,
                nioHPACK, nioHTTP1, nioHTTP2, nioHTTPTypes, nioHTTPTypesHTTP1, nioPosix, services,
            ],
            swiftSettings: strict
        ),
        .target(
            name: "GRPCTransport",
            dependencies: ["Basics", "Metering", "Wire", grpcCore, locks, nioCore, nioHPACK, nioHTTP2],
            swiftSettings: strict
        ),
        .target(name: "FirestoreProtocol", dependencies: [protobuf], exclude: ["Protos"]),
        .target(
            name: "FirestoreServer",
            dependencies: [
                "DocumentStore", "FirestoreModel", "FirestoreProtocol", "GRPCTransport", "JSONReading", "JSONWriting",
                "Metering", "Wire", grpcCore, httpTypes, hummingbird, locks, nioCore, protobuf,
            ],
            swiftSettings: strict
        ),
        .target(
            name: "StorageServer",
            dependencies: [
                "Basics", "CLibCrypto", "JSONReading", "JSONWriting", "Metering", "ObjectStore", "Wire",
                httpTypes,
                hummingbird, locks, nioCore,
            ],
            swiftSettings: strict
        ),
        .target(
            name: "ConsoleServer",
            dependencies: [
                "JSONReading", "JSONWriting", "MeterLedger", "Metering", "Wire", httpTypes, hummingbird, nioCore,
                services,
            ],
            swiftSettings: strict
        ),

        // Images, the feed that is seeded, and the client of that feed.
        .target(name: "SeededRandom", swiftSettings: strict),
        .target(
            name: "Imaging",
            // Where there is ImageIO alone, it decodes.
            dependencies: [.target(name: "CImageCodecs", condition: .when(platforms: [.linux, .macOS]))],
            swiftSettings: strict
        ),
        .target(
            name: "PhotoRendering",
            dependencies: ["CPhotoPainter", "Imaging", "SeededRandom"],
            swiftSettings: strict
        ),
        .target(name: "FeedDataSet", dependencies: ["Basics", "Imaging", "PhotoRendering"], swiftSettings: strict),
        .target(
            name: "FeedPublishers",
            dependencies: [
                "FeedClient", "SessionLog",
                openCombine,
            ],
            swiftSettings: strict
        ),
        .target(
            name: "FeedClient",
            dependencies: ["CCRC32C", "Imaging", "JSONReading", "SessionLog"],
            exclude: ["README.md"],
            swiftSettings: strict
        ),

        // Everything put together, and the two commands.
        .target(
            name: "LocalFirebase",
            dependencies: [
                "Basics", "CFileExchange", "CProcessMemory", "ConsoleServer", "DataFiles", "DocumentStore",
                "FeedDataSet",
                "FirestoreModel", "FirestoreServer",
                "JSONReading", "JSONWriting", "MeterLedger", "Metering", "ObjectStore", "PhotoRendering", "SessionLog",
                "StorageServer", "Wire", locks, logging, services, unixSignals,
            ],
            swiftSettings: strict
        ),
        .target(
            name: "LogImport",
            dependencies: ["Basics", "JSONReading", "Metering", "SessionLog"],
            exclude: ["README.md"],
            swiftSettings: strict
        ),
        .target(
            name: "CacheSimulation",
            dependencies: ["FeedClient"],
            exclude: ["README.md"],
            swiftSettings: strict
        ),
        .target(
            name: "Auditing",
            dependencies: [
                "CacheSimulation", "FeedClient", "JSONReading", "LogImport", "Metering", "SeededRandom", "SessionLog",
                locks,
            ],
            exclude: ["README.md"],
            resources: [
                .embedInCode("Link/Data/networks.json"), .embedInCode("Reports/HTML/Data/report.css"),
            ],
            swiftSettings: strict
        ),
        .target(
            name: "SessionAudit",
            dependencies: [
                "Auditing", "CacheSimulation", "FeedClient", "FeedDataSet", "LocalFirebase", "Metering", "SessionLog",
            ],
            swiftSettings: strict
        ),
        .executableTarget(
            name: "emulator",
            dependencies: [
                "CProcessMemory", "FeedDataSet", "LocalFirebase", "Metering", "SessionLog", argumentParser, services,
            ],
            swiftSettings: strict
        ),
        .executableTarget(
            name: "audit",
            dependencies: [
                "Auditing", "CacheSimulation", "FeedClient", "LocalFirebase", "LogImport", "Metering", "SessionAudit",
                "SessionLog", argumentParser,
            ],
            swiftSettings: strict
        ),

        // Tests mirror the rooms.
        .target(
            name: "TestSupport",
            dependencies: ["SeededRandom"],
            path: "Tests/Support/TestSupport",
            swiftSettings: strict
        ),
        .target(name: "LoopbackRelay", path: "Tests/Support/LoopbackRelay", swiftSettings: strict),
        .target(
            name: "LiveServing",
            dependencies: ["Metering", "Wire"],
            path: "Tests/Support/LiveServing",
            swiftSettings: strict
        ),
        .target(
            name: "TinyFeed",
            dependencies: ["LocalFirebase", "SessionLog", "TestSupport"],
            path: "Tests/Support/TinyFeed",
            swiftSettings: strict
        ),
        .target(
            name: "FirestoreSamples",
            dependencies: ["FirestoreModel", "TestSupport"],
            path: "Tests/Support/FirestoreSamples",
            swiftSettings: strict
        ),
        .executableTarget(
            name: "DocumentStoreCrashWriter",
            dependencies: ["DocumentStore", "FirestoreModel"],
            path: "Tests/Support/DocumentStoreCrashWriter",
            swiftSettings: strict
        ),
        .target(
            name: "FaultPlanning",
            dependencies: ["FeedClient"],
            path: "Tests/Support/FaultPlanning",
            swiftSettings: strict
        ),
        .executableTarget(
            name: "FeedTrial",
            dependencies: ["FaultPlanning", "FeedClient", "Imaging", "SeededRandom", "SessionLog"],
            path: "Tests/Support/FeedTrial",
            swiftSettings: strict
        ),
        .executableTarget(
            name: "ImageClients",
            dependencies: ["FaultPlanning", "FeedClient", "JSONReading", "SeededRandom", "SessionLog"],
            path: "tools/bench/ImageClients",
            swiftSettings: strict
        ),
        .target(
            name: "Refactorings",
            dependencies: ["FeedClient", "FeedPublishers", "Imaging", openCombine],
            path: "Tests/Support/Refactorings",
            swiftSettings: strict
        ),
        .executableTarget(
            name: "RefactoringTimes",
            dependencies: ["FeedClient", "Refactorings", "SessionLog"],
            path: "tools/bench/RefactoringTimes",
            swiftSettings: strict
        ),
        .executableTarget(
            name: "LinkTimes",
            dependencies: ["Auditing", "FeedClient", "LocalFirebase", "SessionAudit", "SessionLog"],
            path: "tools/bench/LinkTimes",
            swiftSettings: strict
        ),
        .executableTarget(
            name: "LayoutSheet",
            dependencies: ["FeedClient", "Imaging", "PhotoRendering"],
            path: "tools/examples/LayoutSheet",
            swiftSettings: strict
        ),
        .executableTarget(name: "FirestoreLoad", path: "tools/bench/FirestoreLoad", swiftSettings: strict),
        .executableTarget(
            name: "MeterLoad",
            dependencies: ["MeterLedger", "Metering"],
            path: "tools/bench/MeterLoad",
            swiftSettings: strict
        ),
        .target(
            name: "ObjectStoreCrashScript",
            path: "Tests/Support/ObjectStoreCrashScript",
            swiftSettings: strict
        ),
        .executableTarget(
            name: "ObjectStoreCrashWriter",
            dependencies: ["ObjectStore", "ObjectStoreCrashScript", "SeededRandom"],
            path: "Tests/Support/ObjectStoreCrashWriter",
            swiftSettings: strict
        ),
        .testTarget(
            name: "AuditingTests",
            dependencies: [
                "TestSupport",
                "Auditing", "CacheSimulation", "FeedClient", "FeedDataSet", "LocalFirebase", "Metering", "SessionAudit",
                "SessionLog", "TinyFeed",
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "CacheSimulationTests",
            dependencies: ["CacheSimulation", "FeedClient", "SeededRandom"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "ConsoleServerTests",
            dependencies: ["ConsoleServer", "MeterLedger", "Metering", "Wire", httpTypes, hummingbird, locks, nioCore],
            swiftSettings: strict
        ),
        .testTarget(name: "BasicsTests", dependencies: ["TestSupport", "Basics"], swiftSettings: strict),
        .testTarget(name: "DataFilesTests", dependencies: ["TestSupport", "DataFiles"], swiftSettings: strict),
        .testTarget(
            name: "DocumentStoreTests",
            dependencies: [
                "TestSupport",
                "DataFiles", "DocumentStore", "DocumentStoreCrashWriter", "FirestoreModel", "FirestoreSamples", locks,
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "ExampleTests",
            dependencies: [
                "FeedClient", "FeedDataSet", "FeedPublishers", "Imaging", "LocalFirebase", "Metering", "Refactorings",
                "SessionLog",
                "TinyFeed", openCombine,
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "FeedClientTests",
            dependencies: ["TestSupport", "FeedClient", "Imaging", "JSONReading", "SessionLog"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "FeedPublishersTests",
            dependencies: [
                "FeedClient", "FeedPublishers", "SessionLog",
                openCombine,
            ],
            swiftSettings: strict
        ),
        .testTarget(name: "FeedDataSetTests", dependencies: ["TestSupport", "FeedDataSet"], swiftSettings: strict),
        .testTarget(
            name: "FirestoreModelTests",
            dependencies: ["TestSupport", "FirestoreModel", "FirestoreSamples"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "FirestoreServerTests",
            dependencies: [
                "DocumentStore", "FirestoreModel", "FirestoreProtocol", "FirestoreServer", "Metering", "SeededRandom",
                "Wire", grpcCore,
                httpTypes, hummingbird, locks, nioCore, protobuf,
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "GRPCTransportTests",
            dependencies: [
                "GRPCTransport", "LiveServing", "LoopbackRelay", "Metering", "Wire", grpcCore, hummingbird, locks,
                logging, nioCore, nioHPACK, nioHTTP2, nioPosix, services, httpTypes,
            ],
            swiftSettings: strict
        ),
        .testTarget(name: "ImagingTests", dependencies: ["Imaging"], swiftSettings: strict),
        .testTarget(
            name: "LocalFirebaseTests",
            dependencies: [
                "TestSupport",
                "FeedClient", "FeedDataSet", "LocalFirebase", "Metering", "ObjectStore", "SessionLog", "TinyFeed",
                locks,
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "PhotoRenderingTests",
            dependencies: ["Imaging", "PhotoRendering", "SeededRandom"],
            swiftSettings: strict
        ),
        .testTarget(name: "JSONReadingTests", dependencies: ["JSONReading"], swiftSettings: strict),
        .testTarget(name: "JSONWritingTests", dependencies: ["JSONWriting"], swiftSettings: strict),
        .testTarget(
            name: "LogImportTests",
            dependencies: ["LogImport", "Metering", "SeededRandom", "SessionLog"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "MeterLedgerTests",
            dependencies: ["TestSupport", "MeterLedger", "Metering", grdb, locks],
            swiftSettings: strict
        ),
        .testTarget(name: "MeteringTests", dependencies: ["Metering"], swiftSettings: strict),
        .testTarget(
            name: "ObjectStoreTests",
            dependencies: [
                "TestSupport",
                "CCRC32C", "DataFiles", "ObjectStore", "ObjectStoreCrashScript", "ObjectStoreCrashWriter", grdb,
            ],
            swiftSettings: strict
        ),
        .testTarget(name: "SessionLogTests", dependencies: ["Metering", "SessionLog"], swiftSettings: strict),
        .testTarget(
            name: "StorageServerTests",
            dependencies: [
                "TestSupport",
                "Basics", "CLibCrypto", "JSONReading", "JSONWriting", "LiveServing", "LoopbackRelay", "Metering",
                "ObjectStore", "StorageServer", "Wire", httpTypes, hummingbird, locks, nioCore,
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "WireTests",
            dependencies: [
                "LiveServing", "LoopbackRelay", "Metering", "Wire", httpTypes, hummingbird, locks, nioCore,
                nioEmbedded, nioHPACK, nioHTTP2, nioPosix,
            ],
            swiftSettings: strict
        ),
    ]
)

// With FIREMETER_FUZZ=1, as tools/fuzz/run has it, the package also makes the program that gives the parsers of what
// clients send to libFuzzer, and the parsers report the branches that an input takes. What they must hold to is a part of
// StorageServerTests; a file belongs to one target only, so that these give way.
if Context.environment["FIREMETER_FUZZ"] == "1" {
    let instrumented = ["JSONReading", "ObjectStore", "StorageServer", "Wire"]
    for target in package.targets where instrumented.contains(target.name) {
        target.swiftSettings?.append(.unsafeFlags(["-sanitize=fuzzer"]))
    }
    package.targets.removeAll { $0.name == "StorageServerTests" }
    package.targets += [
        .target(
            name: "ParserChecks",
            dependencies: [
                "JSONReading", "JSONWriting", "Metering", "ObjectStore", "StorageServer", "Wire", httpTypes,
                hummingbird, nioCore,
            ],
            path: "Tests/StorageServerTests/Fuzzing",
            swiftSettings: strict
        ),
        .systemLibrary(name: "CLibFuzzer", path: "tools/fuzz/CLibFuzzer"),
        .executableTarget(
            name: "StorageFuzz",
            dependencies: ["CLibFuzzer", "ParserChecks"],
            path: "tools/fuzz",
            exclude: ["CLibFuzzer", "run"],
            swiftSettings: strict,
            linkerSettings: [.unsafeFlags(["-sanitize=fuzzer"])]
        ),
    ]
}
