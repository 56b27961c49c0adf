// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import JSON

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

        /// Creates a description.
        package init(
            downloadCount: Int64,
            byteCount: Int64,
            assumptions: [String],
            explained: Explained? = nil
        ) {
            self.downloadCount = downloadCount
            self.byteCount = byteCount
            self.assumptions = assumptions
            self.explained = explained
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
                downloadCount: try inner.integer("downloads"),
                byteCount: try inner.integer("bytes"),
                assumptions: try inner.strings("assumptions"),
                explained: try inner.nested("explained") { (shares) throws(FieldProblem) in
                    Imported.Explained(
                        bytePercent: try shares.percent("bytePercent"),
                        readPercent: try shares.percent("readPercent")
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
        if let imported {
            var fields: [String: JSONValue] = [
                "downloads": .integer(imported.downloadCount), "bytes": .integer(imported.byteCount),
                "assumptions": .array(imported.assumptions.map(JSONValue.string)),
            ]
            if let explained = imported.explained {
                fields["explained"] = .object([
                    "bytePercent": .number(String(explained.bytePercent)),
                    "readPercent": .number(String(explained.readPercent)),
                ])
            }
            writer.add("imported", object: fields)
        }
        return writer.encoded()
    }
}
