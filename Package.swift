// swift-tools-version: 6.2
import Foundation
import PackageDescription

// Libraries, rooms, commands and tests; the rooms are the folders of Sources.

let strict: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

/// A folder of Sources; the README of a larger one is not compiled, nor are the files of its pages, which are in CPageFiles.
func room(
    _ name: String,
    _ dependencies: [Target.Dependency] = [],
    pages: String? = nil,
    resources: [Resource] = []
) -> Target {
    let readMe = "\(Context.packageDirectory)/Sources/\(name)/README.md"
    return .target(
        name: name,
        dependencies: dependencies,
        exclude: (FileManager.default.fileExists(atPath: readMe) ? ["README.md"] : []) + (pages.map { [$0] } ?? []),
        resources: resources,
        swiftSettings: strict
    )
}

/// C that Swift cannot do without.
func cRoom(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, cSettings: [.treatAllWarnings(as: .error)])
}

func command(_ name: String, _ dependencies: [Target.Dependency], path: String? = nil) -> Target {
    .executableTarget(name: name, dependencies: dependencies, path: path, swiftSettings: strict)
}

/// Code that several tests share.
func support(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, path: "Tests/Support/\(name)", swiftSettings: strict)
}

/// A program that tests run, to be killed or to be looked at from outside.
func testProgram(_ name: String, _ dependencies: [Target.Dependency], path: String? = nil) -> Target {
    command(name, dependencies, path: path ?? "Tests/Support/\(name)")
}

/// The tests of a room, in a folder of Tests with its name.
func tests(_ room: String, _ dependencies: [Target.Dependency]) -> Target {
    .testTarget(name: room + "Tests", dependencies: dependencies, swiftSettings: strict)
}

/// The trait of the program and its tests, on by default.
///
/// An app that depends on FeedClient switches it off, and fetches nothing of what only they need.
let commands: Set<String> = ["Commands"]

func commandsOnly(_ product: String, package: String) -> Target.Dependency {
    .product(name: product, package: package, condition: .when(traits: commands))
}

let argumentParser = commandsOnly("ArgumentParser", package: "swift-argument-parser")
let deque = commandsOnly("DequeModule", package: "swift-collections")
let grpcCore = commandsOnly("GRPCCore", package: "grpc-swift-2")
let sqlite = commandsOnly("GRDBSQLite", package: "GRDB.swift")
let grdb = commandsOnly("GRDB", package: "GRDB.swift")
let httpTypes = commandsOnly("HTTPTypes", package: "swift-http-types")
let hummingbird = commandsOnly("HummingbirdCore", package: "hummingbird")
let locks = commandsOnly("NIOConcurrencyHelpers", package: "swift-nio")
let logging = commandsOnly("Logging", package: "swift-log")
let nioCore = commandsOnly("NIOCore", package: "swift-nio")
let nioEmbedded = commandsOnly("NIOEmbedded", package: "swift-nio")
let nioHPACK = commandsOnly("NIOHPACK", package: "swift-nio-http2")
let nioHTTP1 = commandsOnly("NIOHTTP1", package: "swift-nio")
let nioHTTP2 = commandsOnly("NIOHTTP2", package: "swift-nio-http2")
let nioHTTPTypes = commandsOnly("NIOHTTPTypes", package: "swift-nio-extras")
let nioHTTPTypesHTTP1 = commandsOnly("NIOHTTPTypesHTTP1", package: "swift-nio-extras")
let nioPosix = commandsOnly("NIOPosix", package: "swift-nio")
let nioWebSocket = commandsOnly("NIOWebSocket", package: "swift-nio")
let openCombine = Target.Dependency.product(
    name: "OpenCombine",
    package: "OpenCombine",
    condition: .when(platforms: [.linux])
)
let protobuf = commandsOnly("SwiftProtobuf", package: "swift-protobuf")
let services = commandsOnly("ServiceLifecycle", package: "swift-service-lifecycle")
let unixSignals = commandsOnly("UnixSignals", package: "swift-service-lifecycle")

let package = Package(
    name: "firemeter",
    platforms: [.macOS(.v14), .iOS(.v17)],
    products: [
        .executable(name: "firemeter", targets: ["firemeter"]),
        .library(name: "FeedClient", targets: ["FeedClient", "FeedPublishers", "Imaging"]),
    ],
    traits: [
        .default(enabledTraits: commands),
        .trait(name: "Commands", description: "The program firemeter, which apps do not link."),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
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
        .systemLibrary(name: "CLibArgon2", pkgConfig: "libargon2", providers: [.apt(["libargon2-dev"])]),
        .systemLibrary(name: "CLibCrypt", pkgConfig: "libxcrypt", providers: [.apt(["libcrypt-dev"])]),
        .systemLibrary(name: "CLibCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(
            name: "CLibHEIF",
            pkgConfig: "libheif",
            providers: [.apt(["libheif-dev"]), .brew(["libheif"])]
        ),
        .systemLibrary(name: "CLibISAL", pkgConfig: "libisal", providers: [.apt(["libisal-dev"]), .brew(["isa-l"])]),
        .systemLibrary(
            name: "CLibJPEG",
            pkgConfig: "libjpeg",
            providers: [.apt(["libjpeg-dev"]), .brew(["jpeg-turbo"])]
        ),
        .systemLibrary(name: "CLibPNG", pkgConfig: "libpng", providers: [.apt(["libpng-dev"]), .brew(["libpng"])]),
        .systemLibrary(name: "CLibWebP", pkgConfig: "libwebp", providers: [.apt(["libwebp-dev"]), .brew(["webp"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .target(
            name: "CBuildCommit",
            cSettings: [.treatAllWarnings(as: .error)]
                + (Context.environment["FIREMETER_COMMIT"].map { [.define("FIREMETER_COMMIT", to: $0)] } ?? [])
        ),
        cRoom("CCRC32C"),
        cRoom("CFileSystem"),
        cRoom("CMemoryFile"),
        cRoom("CPageFiles"),
        .target(
            name: "CPatterns",
            cxxSettings: [.treatAllWarnings(as: .error)],
            linkerSettings: [.linkedLibrary("re2")]
        ),
        cRoom("CPhotoPainter"),
        cRoom("CProcessMemory"),
        cRoom("CImageCodecs", ["CLibHEIF", "CLibJPEG", "CLibPNG", "CLibWebP"]),

        // Below all others; JSON is read without losing a digit, and written as Google's services do.
        room("Basics", ["CBuildCommit", "CZlib"]),
        room("JSON"),

        // Counting, keeping and logging usage.
        room(
            "Metering",
            ["JSON"],
            resources: [
                .embedInCode("Profiles/Data/blaze-appspot.json"),
                .embedInCode("Profiles/Data/blaze-firebasestorage-app.json"),
                .embedInCode("Profiles/Data/firestore-nam5.json"),
                .embedInCode("Profiles/Data/firestore-us-central1.json"),
                .embedInCode("Profiles/Data/identity-platform.json"),
                .embedInCode("Profiles/Data/spark-2023.json"),
            ]
        ),
        room("MeterLedger", ["Basics", "DataFiles", "JSON", "Metering", deque, grdb, locks, nioCore, sqlite]),
        room("SessionLog", ["Basics", "CZlib", "JSON", "Metering"]),

        // The data, which know nothing of the network.
        room("DataFiles", ["Basics", locks]),
        room("FirestoreModel"),
        room("SecurityRules", ["Basics", "CCRC32C", "CLibCrypto", "CPatterns", "CZlib", "FirestoreModel", locks]),
        room("DocumentStore", ["Basics", "DataFiles", "FirestoreModel", locks, sqlite]),
        room("ObjectStore", ["Basics", "CCRC32C", "CLibCrypto", "DataFiles", grdb, locks]),
        room("AccountStore", ["Basics", "CLibArgon2", "CLibCrypt", "CLibCrypto", "DataFiles", "JSON", grdb, locks]),

        // The servers.
        room(
            "Wire",
            [
                "Basics", "CMemoryFile", "CPageFiles", "JSON", "Metering", deque, httpTypes, hummingbird, locks,
                logging, nioCore, nioHPACK, nioHTTP1, nioHTTP2, nioHTTPTypes, nioHTTPTypesHTTP1, nioPosix,
                nioWebSocket, services,
            ]
        ),
        room("GRPCTransport", ["Basics", "Metering", "Wire", deque, grpcCore, locks, nioCore, nioHPACK, nioHTTP2]),
        // Generated, so not held to the settings of the other rooms.
        .target(name: "FirestoreProtocol", dependencies: [protobuf], exclude: ["Protos"]),
        room(
            "FirestoreServer",
            [
                "DocumentStore", "FirestoreModel", "FirestoreProtocol", "GRPCTransport", "JSON",
                "Metering", "Wire", deque, grpcCore, httpTypes, hummingbird, locks, nioCore, protobuf,
            ]
        ),
        room(
            "StorageServer",
            [
                "Basics", "CLibCrypto", "JSON", "Metering", "ObjectStore", "Wire", httpTypes,
                hummingbird, locks, nioCore,
            ]
        ),
        room(
            "AuthServer",
            [
                "AccountStore", "Basics", "CLibCrypto", "CPageFiles", "JSON", "Metering", "Wire", httpTypes,
                hummingbird, locks, nioCore,
            ],
            pages: "Pages/Files"
        ),
        room(
            "ConsoleServer",
            [
                "Basics", "CPageFiles", "JSON", "Metering", "MeterLedger", "Wire", deque, httpTypes, hummingbird, locks,
                nioCore, services,
            ],
            pages: "Page/Files"
        ),

        // Images, the feed that is seeded, and the client of that feed.
        room("SeededRandom"),
        // Where there is ImageIO alone, it decodes.
        room("Imaging", [.target(name: "CImageCodecs", condition: .when(platforms: [.linux, .macOS]))]),
        room("PhotoRendering", ["CPhotoPainter", "Imaging", "SeededRandom"]),
        room("FeedDataSet", ["Basics", "Imaging", "PhotoRendering"]),
        room("FeedClient", ["Basics", "CCRC32C", "Imaging", "JSON", "SessionLog"]),
        room("FeedPublishers", ["FeedClient", "Imaging", "SessionLog", openCombine]),

        // Audits.
        room("LogImport", ["Basics", "CLibISAL", "JSON", "Metering", "SessionLog"]),
        room("CacheSimulation", ["FeedClient"]),
        room(
            "Auditing",
            [
                "Basics", "CacheSimulation", "FeedClient", "JSON", "LogImport", "Metering", "SeededRandom",
                "SessionLog", locks,
            ],
            resources: [
                .embedInCode("Link/Data/networks.json"),
                .embedInCode("Reports/HTML/Data/report.css"),
            ]
        ),

        // Changes of data, sent to functions.
        room("FunctionEvents", ["Basics", "FirestoreModel", "JSON", "Wire", locks]),

        // The files of the Emulator Suite.
        room(
            "SuiteFiles",
            [
                "AccountStore", "Basics", "CCRC32C", "CFileSystem", "DataFiles", "DocumentStore", "FirestoreModel",
                "JSON", "ObjectStore", "SessionLog", locks,
            ]
        ),

        // Everything put together, and the program.
        room(
            "LocalFirebase",
            [
                "AccountStore", "AuthServer", "Basics", "ConsoleServer", "CProcessMemory", "DataFiles",
                "DocumentStore",
                "FeedDataSet", "FirestoreModel", "FirestoreServer", "FunctionEvents", "Imaging", "JSON", "Metering",
                "MeterLedger", "ObjectStore", "PhotoRendering", "SecurityRules", "SeededRandom", "SessionLog",
                "StorageServer", "SuiteFiles",
                "Wire", httpTypes, locks, logging, services, unixSignals,
            ]
        ),
        room(
            "SessionAudit",
            [
                "Auditing", "Basics", "CacheSimulation", "ConsoleServer", "FeedClient", "FeedDataSet", "LocalFirebase",
                "LogImport", "Metering", "ObjectStore", "SessionLog",
            ]
        ),
        room(
            "EmulatorCommands",
            [
                "AuthServer",
                "Basics", "CProcessMemory", "FeedDataSet", "FunctionEvents", "JSON", "LocalFirebase", "Metering",
                "SecurityRules", "SessionAudit", "SessionLog", "SuiteFiles", "Wire",
                argumentParser, locks, services,
            ]
        ),
        room(
            "AuditCommands",
            [
                "Auditing", "Basics", "CacheSimulation", "FeedClient", "LocalFirebase", "LogImport", "Metering",
                "SessionAudit", "SessionLog", argumentParser,
            ]
        ),
        command("firemeter", ["AuditCommands", "Basics", "EmulatorCommands", argumentParser]),

        // Shared by tests, and run by them.
        support("TestSupport", ["SeededRandom"]),
        support("LoopbackRelay"),
        support("LiveServing", ["Metering", "Wire"]),
        support("TinyFeed", ["LocalFirebase", "SessionLog", "TestSupport"]),
        support("FirestoreSamples", ["FirestoreModel", "TestSupport"]),
        support("FaultPlanning", ["FeedClient"]),
        support("Refactorings", ["FeedClient", "FeedPublishers", "Imaging", openCombine]),
        support("ObjectStoreCrashScript"),
        testProgram("DocumentStoreCrashWriter", ["DocumentStore", "FirestoreModel"]),
        testProgram("ObjectStoreCrashWriter", ["ObjectStore", "ObjectStoreCrashScript", "SeededRandom"]),
        testProgram("FeedTrial", ["FaultPlanning", "FeedClient", "Imaging", "SeededRandom", "SessionLog"]),
        testProgram(
            "ImageClients",
            [
                "FaultPlanning", "FeedClient", "JSON", "SeededRandom", "SessionLog",
            ],
            path: "tools/bench/ImageClients"
        ),
        testProgram(
            "RefactoringTimes",
            [
                "FeedClient", "Imaging", "Refactorings", "SessionLog",
            ],
            path: "tools/bench/RefactoringTimes"
        ),
        testProgram("LayoutSheet", ["FeedClient", "Imaging", "PhotoRendering"], path: "tools/examples/LayoutSheet"),

        // Tests mirror the rooms.
        tests(
            "Auditing",
            [
                "Auditing", "Basics", "CacheSimulation", "FeedClient", "FeedDataSet", "LocalFirebase", "LogImport",
                "Metering", "SessionAudit", "SessionLog", "TestSupport", "TinyFeed",
            ]
        ),
        tests("AccountStore", ["AccountStore", "JSON", "TestSupport"]),
        tests(
            "AuthServer",
            [
                "AccountStore", "AuthServer", "JSON", "Metering", "TestSupport", "Wire", httpTypes, hummingbird, locks,
                nioCore,
            ]
        ),
        tests("Basics", ["Basics", "TestSupport"]),
        tests("CacheSimulation", ["CacheSimulation", "FeedClient", "SeededRandom"]),
        tests(
            "ConsoleServer",
            [
                "ConsoleServer", "Metering", "MeterLedger", "Wire", httpTypes, hummingbird, locks, nioCore,
            ]
        ),
        tests("DataFiles", ["DataFiles", "TestSupport"]),
        tests(
            "DocumentStore",
            [
                "DataFiles", "DocumentStore", "DocumentStoreCrashWriter", "FirestoreModel", "FirestoreSamples",
                "TestSupport", locks,
            ]
        ),
        tests(
            "Example",
            [
                "FeedClient", "FeedDataSet", "FeedPublishers", "Imaging", "LocalFirebase", "Metering", "Refactorings",
                "SessionLog", "TinyFeed", openCombine,
            ]
        ),
        tests("FeedClient", ["FeedClient", "Imaging", "JSON", "SessionLog", "TestSupport"]),
        tests("FeedDataSet", ["FeedDataSet", "TestSupport"]),
        tests("FeedPublishers", ["FeedClient", "FeedPublishers", "Imaging", "SessionLog", openCombine]),
        .testTarget(
            name: "SecurityRulesTests",
            dependencies: ["FirestoreModel", "SecurityRules", locks],
            exclude: ["Cases"],
            swiftSettings: strict
        ),
        tests("FirestoreModel", ["FirestoreModel", "FirestoreSamples", "TestSupport"]),
        tests(
            "FirestoreServer",
            [
                "DocumentStore", "FirestoreModel", "FirestoreProtocol", "FirestoreServer", "Metering", "SeededRandom",
                "Wire", grpcCore, httpTypes, hummingbird, locks, nioCore, protobuf,
            ]
        ),
        tests(
            "GRPCTransport",
            [
                "GRPCTransport", "LiveServing", "LoopbackRelay", "Metering", "Wire", grpcCore, httpTypes, hummingbird,
                locks, logging, nioCore, nioHPACK, nioHTTP2, nioPosix, services,
            ]
        ),
        tests("FunctionEvents", ["FirestoreModel", "FunctionEvents", "JSON", locks]),
        tests("Imaging", ["Imaging", "SeededRandom"]),
        tests("JSON", ["JSON"]),
        tests(
            "LocalFirebase",
            [
                "DocumentStore", "FaultPlanning", "FeedClient", "FeedDataSet", "FirestoreModel", "FirestoreServer",
                "LocalFirebase", "LoopbackRelay", "MeterLedger", "Metering", "ObjectStore", "SecurityRules",
                "SessionLog",
                "SuiteFiles", "TestSupport", "TinyFeed", "Wire", locks,
            ]
        ),
        tests("LogImport", ["LogImport", "Metering", "SeededRandom", "SessionLog", "TestSupport"]),
        tests("MeterLedger", ["Metering", "MeterLedger", "TestSupport", grdb, locks]),
        tests("Metering", ["Metering"]),
        tests(
            "ObjectStore",
            [
                "CCRC32C", "DataFiles", "ObjectStore", "ObjectStoreCrashScript", "ObjectStoreCrashWriter",
                "TestSupport",
                grdb,
            ]
        ),
        tests("PhotoRendering", ["Imaging", "PhotoRendering", "SeededRandom"]),
        tests("SessionLog", ["Metering", "SessionLog"]),
        tests(
            "SuiteFiles",
            [
                "AccountStore", "Basics", "DocumentStore", "FirestoreModel", "FirestoreSamples", "JSON", "ObjectStore",
                "SuiteFiles", "TestSupport", "TinyFeed",
            ]
        ),
        tests(
            "StorageServer",
            [
                "Basics", "CLibCrypto", "JSON", "LiveServing", "LoopbackRelay", "Metering",
                "ObjectStore", "StorageServer", "TestSupport", "Wire", httpTypes, hummingbird, locks, nioCore,
            ]
        ),
        tests(
            "Wire",
            [
                "CPageFiles", "LiveServing", "LoopbackRelay", "Metering", "Wire", httpTypes, hummingbird, locks,
                nioCore, nioEmbedded, nioHPACK, nioHTTP2, nioPosix,
            ]
        ),
    ]
)

// Programs that measure, and that only tools/bench builds.
if Context.environment["FIREMETER_BENCH"] == "1" {
    package.targets += [
        command("FirestoreLoad", [], path: "tools/bench/FirestoreLoad"),
        command(
            "LinkTimes",
            [
                "Auditing", "FeedClient", "LocalFirebase", "SessionAudit", "SessionLog",
            ],
            path: "tools/bench/LinkTimes"
        ),
        command("MeterLoad", ["MeterLedger", "Metering"], path: "tools/bench/MeterLoad"),
        command("RulesSpeed", ["FirestoreModel", "SecurityRules"], path: "tools/bench/RulesSpeed"),
    ]
}

// With FIREMETER_FUZZ=1, as tools/fuzz/run has it, the package also makes the program that gives the parsers of what
// clients send to libFuzzer, and the parsers report the branches that an input takes. What they must hold to is a part of
// StorageServerTests; a file belongs to one target only, so that these give way.
if Context.environment["FIREMETER_FUZZ"] == "1" {
    let instrumented = ["JSON", "ObjectStore", "StorageServer", "Wire"]
    for target in package.targets where instrumented.contains(target.name) {
        target.swiftSettings?.append(.unsafeFlags(["-sanitize=fuzzer"]))
    }
    package.targets.removeAll { $0.name == "StorageServerTests" }
    package.targets += [
        .target(
            name: "ParserChecks",
            dependencies: [
                "JSON", "Metering", "ObjectStore", "StorageServer", "Wire", httpTypes,
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
