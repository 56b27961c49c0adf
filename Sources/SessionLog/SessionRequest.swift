// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import JSON
package import Metering

/// One metered request in a session log.
package struct SessionRequest: Sendable, Hashable {
    /// The metered usage; its time counts from the Unix epoch, in microseconds.
    package var record: UsageRecord
    /// The address and the connection that it came by; `nil` where the log does not say.
    package var origin: Origin?
    /// The objects that were listed; `nil` where the log does not say.
    package var listing: Listing?
    /// The documents that were read; `nil` where the log does not say.
    package var reading: Reading?
    /// The generation that a download found; `nil` where the log does not say.
    package var generation: Int64?
    /// Fields this version does not know.
    package var extra: [String: JSONValue]

    /// Creates a request line.
    package init(
        record: UsageRecord,
        origin: Origin? = nil,
        listing: Listing? = nil,
        reading: Reading? = nil,
        generation: Int64? = nil,
        extra: [String: JSONValue] = [:]
    ) {
        self.record = record
        self.origin = origin
        self.listing = listing
        self.reading = reading
        self.generation = generation
        self.extra = extra
    }

    /// The line as that of a part, which counts no request.
    var countingNothing: Self {
        var request = self
        request.record.requestCount = 0
        return request
    }

    /// The address and the connection of a request, in numbers of the recording: an address would be personal data.
    package struct Origin: Sendable, Hashable {
        /// The number of the client's address, from 1; `nil` where it has none.
        package var peer: Int?
        /// The number of the connection, from 1; `nil` where the log does not say.
        package var connection: Int?

        /// Creates numbers.
        package init(peer: Int? = nil, connection: Int? = nil) {
            self.peer = peer
            self.connection = connection
        }
    }

    /// The objects that a page of a listing is about.
    package struct Listing: Sendable, Hashable {
        /// The beginning of their names; empty for all of the bucket.
        package var prefix: String
        /// Whether those behind a further slash are left out.
        package var hasDelimiter: Bool
        /// Whether the page begins behind another.
        package var isContinued: Bool

        /// Creates a page.
        package init(prefix: String, hasDelimiter: Bool = false, isContinued: Bool = false) {
            self.prefix = prefix
            self.hasDelimiter = hasDelimiter
            self.isContinued = isContinued
        }
    }

    /// The documents that a request read.
    package struct Reading: Sendable, Hashable {
        /// The hash of the query without its limit, offset and cursors; `nil` for documents read by name.
        package var list: String?
        /// The most documents of a page.
        package var limit: Int?
        /// Whether the page begins behind another.
        package var isContinued = false
        /// Whether a listener heard of changes, or of documents that it did not have.
        package var isChange = false
        /// Whether documents or index entries were only counted.
        package var isAggregation = false
        /// Names without a document, each of which is billed a read.
        package var missingCount = 0
        /// The numbers of the documents' lines, in the order in which they were read.
        package var documents: [Int] = []

        /// Creates a reading of nothing.
        package init() {}
    }
}

extension SessionRequest {
    func encoded(type: String) -> [UInt8] {
        var writer = FieldWriter(type: type, extra: extra)
        writer.add("at", record.startMicroseconds)
        writer.add("operation", record.attribution.operation)
        writer.add("service", record.attribution.service.rawValue)
        writer.add("method", record.method)
        writer.add("status", record.status)
        addSubject(to: &writer)
        writer.add("client", record.attribution.client)
        writer.add("user", record.attribution.user)
        writer.add("tag", record.attribution.tag)
        origin?.add(to: &writer)
        writer.add("received", object: UsageFields.fields(record.received))
        writer.add("sent", object: UsageFields.fields(record.sent))
        let billed = UsageFields.fields(record.billed)
        if !billed.isEmpty { writer.add("billed", object: billed) }
        if let generation { writer.add("generation", generation) }
        listing?.add(to: &writer)
        reading.map { $0.add(to: &writer) }
        writer.add("outcome", record.outcome.rawValue)
        writer.add("abortCause", record.abortCause?.rawValue)
        writer.add("durationMicroseconds", record.durationMicroseconds)
        return writer.encoded()
    }

    private func addSubject(to writer: inout FieldWriter) {
        let attribution = record.attribution
        writer.add("bucket", attribution.bucket)
        writer.add("object", attribution.object)
        if let image = attribution.image {
            writer.add("owner", image.owner)
            writer.add("feed", image.feed)
            writer.add("n", image.index)
        }
        writer.add("database", attribution.database)
        writer.add("collection", attribution.collection)
        writer.add("queryShape", attribution.queryShape)
    }
}
