// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import JSON
import Metering

extension SessionRequest {
    init(_ reader: inout FieldReader) throws(FieldProblem) {
        self.init(
            record: UsageRecord(
                startMicroseconds: try reader.integer("at", in: FieldReader.timeRange),
                durationMicroseconds: try reader.integer("durationMicroseconds", in: FieldReader.timeRange),
                method: try reader.string("method"),
                status: try reader.count("status", in: 0...999),
                outcome: try reader.choice("outcome", of: UsageRecord.Outcome.self),
                abortCause: try reader.optionalChoice("abortCause", of: AbortCause.self),
                attribution: try Self.attribution(&reader),
                received: try UsageFields.transferred("received", reader: &reader),
                sent: try UsageFields.transferred("sent", reader: &reader),
                billed: try UsageFields.billed(&reader)
            )
        )
        origin = try Origin(&reader)
        generation = try reader.optionalInteger("generation")
        listing = try Listing(&reader)
        reading = try Reading(&reader)
        extra = reader.fields
    }

    private static func attribution(_ reader: inout FieldReader) throws(FieldProblem) -> UsageAttribution {
        var attribution = UsageAttribution(
            service: try reader.choice("service", of: UsageAttribution.Service.self),
            operation: try reader.string("operation")
        )
        attribution.bucket = try reader.optionalString("bucket")
        attribution.object = try reader.optionalString("object")
        attribution.image = try image(&reader)
        attribution.database = try reader.optionalString("database")
        attribution.collection = try reader.optionalString("collection")
        attribution.queryShape = try reader.optionalString("queryShape")
        attribution.client = try reader.optionalString("client")
        attribution.user = try reader.optionalString("user")
        attribution.tag = try reader.optionalString("tag")
        return attribution
    }

    private static func image(_ reader: inout FieldReader) throws(FieldProblem) -> FeedImagePath? {
        guard let owner = try reader.optionalString("owner") else { return nil }
        return FeedImagePath(owner: owner, feed: try reader.string("feed"), index: try reader.count("n"))
    }
}

extension SessionRequest.Origin {
    private static let range = 1...Int(Int32.max)

    /// `nil` with neither.
    fileprivate init?(_ reader: inout FieldReader) throws(FieldProblem) {
        peer = try reader.optionalCount("peer", in: Self.range)
        connection = try reader.optionalCount("connection", in: Self.range)
        if peer == nil, connection == nil { return nil }
    }

    func add(to writer: inout FieldWriter) {
        if let peer { writer.add("peer", peer) }
        if let connection { writer.add("connection", connection) }
    }
}

extension SessionRequest.Listing {
    fileprivate init?(_ reader: inout FieldReader) throws(FieldProblem) {
        let found = try reader.nested("listing") { (inner) throws(FieldProblem) in
            Self(
                prefix: try inner.optionalString("prefix") ?? "",
                hasDelimiter: try inner.flag("delimiter"),
                isContinued: try inner.flag("continued")
            )
        }
        guard let found else { return nil }
        self = found
    }

    func add(to writer: inout FieldWriter) {
        var fields: [String: JSONValue] = ["prefix": .string(prefix)]
        if hasDelimiter { fields["delimiter"] = .bool(true) }
        if isContinued { fields["continued"] = .bool(true) }
        writer.add("listing", object: fields)
    }
}

extension SessionRequest.Reading {
    private static let missingRange = 0...Int(Int32.max)

    fileprivate init?(_ reader: inout FieldReader) throws(FieldProblem) {
        let found = try reader.nested("read") { (inner) throws(FieldProblem) in
            var reading = Self()
            reading.list = try inner.optionalString("list")
            reading.limit = try inner.optionalCount("limit", in: Self.missingRange)
            reading.isContinued = try inner.flag("continued")
            reading.isChange = try inner.flag("changed")
            reading.isAggregation = try inner.flag("aggregated")
            reading.missingCount = try inner.optionalCount("missing", in: Self.missingRange) ?? 0
            reading.documents = try inner.counts("documents")
            return reading
        }
        guard let found else { return nil }
        self = found
    }

    func add(to writer: inout FieldWriter) {
        var fields: [String: JSONValue] = [:]
        if let list { fields["list"] = .string(list) }
        if let limit { fields["limit"] = .integer(Int64(limit)) }
        if isContinued { fields["continued"] = .bool(true) }
        if isChange { fields["changed"] = .bool(true) }
        if isAggregation { fields["aggregated"] = .bool(true) }
        if missingCount > 0 { fields["missing"] = .integer(Int64(missingCount)) }
        fields["documents"] = .array(documents.map { .integer(Int64($0)) })
        writer.add("read", object: fields)
    }
}
