// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

extension Scenario {
    /// A Commit of one document each.
    func set() throws(LoadError) -> Measurement {
        let requests = try selectedPosts().map { firestore.commit([$0]) }
        return try run("Commit", requests) { message throws(LoadError) in
            try Self.check(message, has: 1, field: 1)
        }
    }

    /// A GetDocument of one existing document each.
    func get() throws(LoadError) -> Measurement {
        let requests = try selectedPosts().map { firestore.get($0) }
        return try run("GetDocument", requests) { message throws(LoadError) in
            try Self.check(message, has: 6, field: 2)
        }
    }

    /// As SDKs of servers do it.
    func batchGet() throws(LoadError) -> Measurement {
        let requests = try selectedPosts().map { firestore.batchGet($0) }
        return try run("BatchGetDocuments", requests) { message throws(LoadError) in
            try Self.check(message, has: 1, field: 1)
        }
    }

    /// Commits of `--size` documents each, `--count` of them.
    func batch() throws(LoadError) -> Measurement {
        let size = try options.integer("size", default: 500)
        let first = try options.integer("first", default: 0)
        var requests: [[UInt8]] = []
        for batch in 0..<(try operationCount(default: 20)) {
            let start = first + batch * size
            requests.append(firestore.commit(try posts(start..<(start + size))))
        }
        return try run("Commit", requests) { message throws(LoadError) in
            try Self.check(message, has: size, field: 1)
        }
    }

    /// BeginTransaction, BatchGetDocuments in it and Commit of it, one transaction after the other.
    ///
    /// Each gives its document the title of `--version`.
    func transactions() throws(LoadError) -> Measurement {
        var measurement = Measurement(pool)
        var latencies: [Int] = []
        let version = try options.integer("version", default: 1)
        for var post in try selectedPosts() {
            post.version = version
            let start = Clocks.monotonic()
            try runTransaction(on: post)
            latencies.append(Clocks.monotonic() - start)
        }
        measurement.finish(pool, latencies: latencies, messageCount: latencies.count * 3)
        return measurement
    }

    static func check(_ message: UnsafeRawBufferPointer, has count: Int, field: Int) throws(LoadError) {
        let found = try ProtobufReader.count(field, of: message)
        guard found == count else { throw .unexpected("field \(field) \(found) times instead of \(count) times") }
    }

    private func runTransaction(on post: SamplePost) throws(LoadError) {
        let begun = try call("BeginTransaction", firestore.beginTransaction())
        let transaction = try begun.withMessageBytes { bytes throws(LoadError) in
            try ProtobufReader.data(1, of: bytes).map { Array($0) } ?? []
        }
        let got = try call("BatchGetDocuments", firestore.batchGet(post, transaction: transaction))
        try got.withMessageBytes { bytes throws(LoadError) in try Self.check(bytes, has: 1, field: 1) }
        let committed = try call("Commit", firestore.commit([post], transaction: transaction))
        try committed.withMessageBytes { bytes throws(LoadError) in try Self.check(bytes, has: 1, field: 1) }
    }

    /// The first message of the answer.
    func call(_ method: String, _ message: [UInt8]) throws(LoadError) -> [UInt8] {
        try UnaryCall.run(Firestore.service + method, message, on: pool).first ?? []
    }
}

extension [UInt8] {
    /// `withUnsafeBytes`, which has no typed throws.
    func withMessageBytes<Value>(
        _ body: (UnsafeRawBufferPointer) throws(LoadError) -> Value
    ) throws(LoadError) -> Value {
        try withUnsafeBytes { bytes in Result { () throws(LoadError) in try body(bytes) } }.get()
    }
}
