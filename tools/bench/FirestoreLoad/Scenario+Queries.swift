// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

extension Scenario {
    /// The whole collection, `--count` times.
    func scan() throws(LoadError) -> Measurement {
        let requests = Array(repeating: firestore.runQuery(SampleQuery()), count: try operationCount(default: 1))
        return try runQueries(requests, expectedCount: try documentCount())
    }

    /// Queries that find twenty documents, each time others: `--query equality`, `equality-order` or `range`.
    func select() throws(LoadError) -> Measurement {
        let name = options.string("query", default: "equality")
        let count = try documentCount()
        guard count >= 20_000 else { throw LoadError(message: "select needs --documents 20000 or more") }
        var requests: [[UInt8]] = []
        for repetition in 0..<(try operationCount(default: 10)) {
            requests.append(firestore.runQuery(try selectiveQuery(name, repetition, documentCount: count)))
        }
        return try runQueries(requests, expectedCount: SamplePost.postsPerAuthor)
    }

    /// The count of the collection, `--count` times.
    func count() throws(LoadError) -> Measurement {
        var counted = 0
        let requests = Array(repeating: firestore.count(), count: try operationCount(default: 1))
        var measurement = try run("RunAggregationQuery", requests) { message throws(LoadError) in
            counted = try Self.aggregatedCount(message) ?? counted
        }
        measurement.add("documents", counted)
        return measurement
    }

    private func selectiveQuery(
        _ name: String,
        _ repetition: Int,
        documentCount: Int
    ) throws(LoadError) -> SampleQuery {
        let found = SamplePost.postsPerAuthor
        switch name {
        case "equality":
            let author = SamplePost.author(repetition * 7_919 % SamplePost.authorCount(documentCount))
            return SampleQuery(filter: ("author", .equal, .string(author)))
        case "equality-order":
            let category = repetition * 37 % SamplePost.categoryCount
            return SampleQuery(filter: ("category", .equal, .integer(category)), order: ("score", true), limit: found)
        case "range":
            let bound = SampleQuery.Value.double(Double(repetition * 7_919 % 900_000) / 1_000)
            return SampleQuery(filter: ("score", .greaterThanOrEqual, bound), order: ("score", false), limit: found)
        default:
            throw LoadError(message: "--query is equality, equality-order or range")
        }
    }

    private func runQueries(_ requests: [[UInt8]], expectedCount: Int) throws(LoadError) -> Measurement {
        var found = 0
        var measurement = try run("RunQuery", requests) { message throws(LoadError) in
            found += try ProtobufReader.count(1, of: message)
        }
        guard found == expectedCount * requests.count else {
            throw .unexpected("\(found) documents instead of \(expectedCount * requests.count)")
        }
        measurement.add("documents", found)
        return measurement
    }

    /// Of a RunAggregationQueryResponse; `nil` for one without a result.
    private static func aggregatedCount(_ message: UnsafeRawBufferPointer) throws(LoadError) -> Int? {
        guard let result = try ProtobufReader.data(1, of: message) else { return nil }
        let entry = try ProtobufReader.data(2, of: result)
        guard let entry, let value = try ProtobufReader.data(2, of: entry) else {
            throw .unexpected("an aggregation without a value")
        }
        var reader = ProtobufReader(value)
        while let (field, value) = try reader.next() {
            if field == 2, case .integer(let count) = value { return Int(clamping: count) }
        }
        return 0
    }
}
