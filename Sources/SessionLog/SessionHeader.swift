// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import JSON
package import Metering

/// The first line of a session log.
package struct SessionHeader: Sendable, Hashable {
    /// The only schema this version reads and writes.
    package static let schema = "firemeter.session/1"

    /// The most posts of one page, which is also what the feed's client asks for at most.
    package static let pageSizeMax = 300

    /// When the session began; the views' times count from here.
    package var createdAt: LogTime
    /// The file that holds the feed's posts and images, relative to the log.
    package var dataSet: String?
    /// Where the feed lives.
    package var feed: Feed?
    /// The posts of one page.
    package var pageSize: Int?
    /// Where the log is from, when its views were inferred from a third-party log.
    package var imported: Imported?
    /// Fields this version does not know.
    package var extra: [String: JSONValue]

    /// Creates a header.
    package init(
        createdAt: LogTime,
        dataSet: String? = nil,
        feed: Feed? = nil,
        pageSize: Int? = nil,
        extra: [String: JSONValue] = [:]
    ) {
        if let pageSize {
            precondition((1...Self.pageSizeMax).contains(pageSize), "a page has 1 to \(Self.pageSizeMax) posts")
        }
        self.createdAt = createdAt
        self.dataSet = dataSet
        self.feed = feed
        self.pageSize = pageSize
        self.extra = extra
    }

    /// The source of a log whose views were inferred.
    package struct Imported: Sendable, Hashable, Codable {
        /// The downloads that were read.
        package var downloadCount: Int64
        /// The bytes of their bodies.
        package var byteCount: Int64
        /// The assumptions, in sentences.
        package var assumptions: [String]
        /// The shares of the log that its views explain; `nil` for a third-party log, of which only images are taken.
        package var explained: Explained?
        /// The sums of the log that was imported; `nil` in a session that a former version imported.
        package var usage: Usage?

        /// Creates a description.
        package init(
            downloadCount: Int64,
            byteCount: Int64,
            assumptions: [String],
            explained: Explained? = nil,
            usage: Usage? = nil
        ) {
            self.downloadCount = downloadCount
            self.byteCount = byteCount
            self.assumptions = assumptions
            self.explained = explained
            self.usage = usage
        }

        /// The sums of a log.
        package struct Usage: Sendable, Hashable, Codable {
            /// All of it, by service.
            package var total: [UsageAttribution.Service: UsageTotals]
            /// The part that no view explains.
            package var other: [UsageAttribution.Service: UsageTotals]
            /// The billed document reads by query, most first; none where the log has no reads.
            package var reads: [QueryReads]
            /// Why the bytes of views were sent; in a file, lines of their own, which may be more than a line can hold.
            ///
            /// `nil` where there are none.
            package var downloads: [SessionDownloads]?

            /// Creates sums.
            package init(
                total: [UsageAttribution.Service: UsageTotals],
                other: [UsageAttribution.Service: UsageTotals],
                reads: [QueryReads] = [],
                downloads: [SessionDownloads]? = nil
            ) {
                self.total = total
                self.other = other
                self.reads = reads
                self.downloads = downloads
            }
        }

        /// The billed document reads of one query.
        package struct QueryReads: Sendable, Hashable, Codable {
            /// The query in words, without values.
            package var query: String
            /// The different documents that it read.
            package var documentCount: Int
            /// The reads, by cause; no cause has 0.
            package var causes: [String: Int64]

            /// Creates reads.
            package init(query: String, documentCount: Int, causes: [String: Int64]) {
                self.query = query
                self.documentCount = documentCount
                self.causes = causes
            }
        }

        /// Shares of a recorded log's sums, in percent.
        package struct Explained: Sendable, Hashable, Codable {
            /// Of the bytes of all bodies.
            package var bytePercent: Double
            /// Of the billed document reads.
            package var readPercent: Double

            /// Creates shares.
            package init(bytePercent: Double, readPercent: Double) {
                self.bytePercent = bytePercent
                self.readPercent = readPercent
            }
        }
    }

    /// Where a feed lives.
    package struct Feed: Sendable, Hashable {
        package var project: String
        package var database: String
        package var collection: String
        package var bucket: String

        /// Creates an address.
        package init(project: String, database: String, collection: String, bucket: String) {
            self.project = project
            self.database = database
            self.collection = collection
            self.bucket = bucket
        }
    }
}

extension SessionHeader {
    init(_ reader: inout FieldReader) throws(FieldProblem) {
        guard let createdAt = LogTime(try reader.string("createdAt")) else {
            throw reader.problem("createdAt", message: "expected an RFC 3339 time")
        }
        self.init(createdAt: createdAt)
        dataSet = try reader.optionalString("dataSet")
        feed = try reader.nested("feed") { (inner) throws(FieldProblem) in
            Feed(
                project: try inner.string("project"),
                database: try inner.string("database"),
                collection: try inner.string("collection"),
                bucket: try inner.string("bucket")
            )
        }
        pageSize = try reader.optionalCount("pageSize", in: 1...Self.pageSizeMax)
        imported = try reader.nested("imported") { (inner) throws(FieldProblem) in
            Imported(
                downloadCount: try inner.integer("downloads", in: FieldReader.sumRange),
                byteCount: try inner.integer("bytes", in: FieldReader.sumRange),
                assumptions: try inner.strings("assumptions"),
                explained: try inner.nested("explained") { (shares) throws(FieldProblem) in
                    Imported.Explained(
                        bytePercent: try shares.percent("bytePercent"),
                        readPercent: try shares.percent("readPercent")
                    )
                },
                usage: try inner.nested("usage") { (sums) throws(FieldProblem) in
                    Imported.Usage(
                        total: try sums.services("total"),
                        other: try sums.services("other"),
                        reads: try sums.objects("reads") { (query) throws(FieldProblem) in
                            Imported.QueryReads(
                                query: try query.string("query"),
                                documentCount: try query.count("documents"),
                                causes: try query.integers("causes")
                            )
                        }
                    )
                }
            )
        }
        extra = reader.fields
    }

    func encoded() -> [UInt8] {
        var writer = FieldWriter(type: "header", extra: extra)
        writer.add("schema", Self.schema)
        writer.add("createdAt", createdAt.text)
        writer.add("dataSet", dataSet)
        if let feed {
            writer.add(
                "feed",
                object: [
                    "project": .string(feed.project), "database": .string(feed.database),
                    "collection": .string(feed.collection), "bucket": .string(feed.bucket),
                ]
            )
        }
        if let pageSize { writer.add("pageSize", pageSize) }
        if let imported { writer.add("imported", object: imported.fields) }
        return writer.encoded()
    }
}

extension SessionHeader.Imported {
    fileprivate var fields: [String: JSONValue] {
        var fields: [String: JSONValue] = [
            "downloads": .integer(downloadCount), "bytes": .integer(byteCount),
            "assumptions": .array(assumptions.map(JSONValue.string)),
        ]
        if let explained {
            fields["explained"] = .object([
                "bytePercent": .number(String(explained.bytePercent)),
                "readPercent": .number(String(explained.readPercent)),
            ])
        }
        if let usage {
            fields["usage"] = .object([
                "total": Self.fields(usage.total), "other": Self.fields(usage.other),
                "reads": .array(usage.reads.map(\.field)),
            ])
        }
        return fields
    }

    private static func fields(_ services: [UsageAttribution.Service: UsageTotals]) -> JSONValue {
        .object(
            Dictionary(uniqueKeysWithValues: services.map { ($0.key.rawValue, .object(UsageFields.fields($0.value))) })
        )
    }
}

extension SessionHeader.Imported.QueryReads {
    fileprivate var field: JSONValue {
        .object([
            "query": .string(query), "documents": .integer(Int64(documentCount)),
            "causes": .object(causes.mapValues(JSONValue.integer)),
        ])
    }
}

extension FieldReader {
    /// Sums by service; a service that is not named has none.
    fileprivate mutating func services(
        _ key: String
    ) throws(FieldProblem) -> [UsageAttribution.Service: UsageTotals] {
        let services = try nested(key) { (inner) throws(FieldProblem) in
            var sums: [UsageAttribution.Service: UsageTotals] = [:]
            for service in UsageAttribution.Service.allCases {
                sums[service] = try inner.nested(service.rawValue) { (sum) throws(FieldProblem) in
                    UsageTotals(
                        requests: try sum.integer("requests", in: FieldReader.sumRange),
                        received: try UsageFields.transferred("received", in: FieldReader.sumRange, reader: &sum),
                        sent: try UsageFields.transferred("sent", in: FieldReader.sumRange, reader: &sum),
                        billed: try UsageFields.billed(&sum, in: FieldReader.sumRange)
                    )
                }
            }
            return sums
        }
        return services ?? [:]
    }
}
