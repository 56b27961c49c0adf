// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// One kind of load on one server.
struct Scenario {
    let options: Options
    let firestore: Firestore
    let pool: ConnectionPool

    init(options: Options) throws(LoadError) {
        self.options = options
        firestore = Firestore(
            project: options.string("project", default: "demo"),
            databaseID: options.string("database", default: "(default)"),
            collection: options.string("collection", default: "posts")
        )
        pool = try ConnectionPool(
            firestore,
            host: options.string("host", default: "127.0.0.1"),
            port: UInt16(clamping: try options.integer("port", default: 8_080)),
            count: max(1, try options.integer("connections", default: 1))
        )
    }

    static let all: [(name: String, run: @Sendable (Scenario) throws(LoadError) -> Measurement)] = [
        ("set", { scenario throws(LoadError) in try scenario.set() }),
        ("get", { scenario throws(LoadError) in try scenario.get() }),
        ("batch-get", { scenario throws(LoadError) in try scenario.batchGet() }),
        ("batch", { scenario throws(LoadError) in try scenario.batch() }),
        ("scan", { scenario throws(LoadError) in try scenario.scan() }),
        ("select", { scenario throws(LoadError) in try scenario.select() }),
        ("count", { scenario throws(LoadError) in try scenario.count() }),
        ("transactions", { scenario throws(LoadError) in try scenario.transactions() }),
        ("listen", { scenario throws(LoadError) in try scenario.listen() }),
        ("plain", { scenario throws(LoadError) in try scenario.plain() }),
    ]

    /// How many documents the collection of the load has.
    func documentCount() throws(LoadError) -> Int { try options.integer("documents", default: 200_000) }

    func operationCount(default other: Int) throws(LoadError) -> Int { try options.integer("count", default: other) }

    func inFlight() throws(LoadError) -> Int { max(1, try options.integer("in-flight", default: 1)) }

    func posts(_ range: Range<Int>) throws(LoadError) -> [SamplePost] {
        let count = try documentCount()
        return range.map { SamplePost(index: $0, collectionCount: count) }
    }

    /// The posts `--first` and the `--count` following ones.
    func selectedPosts() throws(LoadError) -> [SamplePost] {
        let first = try options.integer("first", default: 0)
        return try posts(first..<(first + (try operationCount(default: 1_000))))
    }

    func run(
        _ method: String,
        _ messages: [[UInt8]],
        inspect: @escaping ClosedLoop.Inspection
    ) throws(LoadError) -> Measurement {
        try ClosedLoop.run(Firestore.service + method, messages, inFlight: try inFlight(), on: pool, inspect: inspect)
    }
}
