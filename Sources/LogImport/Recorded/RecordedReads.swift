// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering
import SessionLog

/// Why document reads were billed; each has one cause.
package enum ReadCause: String, Sendable, Hashable, CaseIterable {
    /// Documents that the user had not read before.
    case first
    /// Documents that the user had read before, and that are the same since: a listener, or a local cache, has them.
    case unchanged
    /// Documents that the user had read before in another version.
    case changed
    /// Names that have no document.
    case missing
    /// The one read of a query without results (firebase.google.com/docs/firestore/pricing, 2026-11).
    case empty
    /// Index entries that an aggregation counted, up to 1,000 for a read.
    case index
    /// Documents that an offset skipped, and whatever the log does not describe.
    case other
}

/// The billed reads of a recorded log, by query and by cause.
package struct RecordedReads: Sendable, Hashable {
    /// The reads of one query.
    package struct Query: Sendable, Hashable {
        /// The query in words, without values; documents read by name have their collection.
        package let name: String
        /// The billed reads; no cause has 0.
        package fileprivate(set) var causes: [ReadCause: Int64] = [:]
        fileprivate var documents: Set<Int32> = []

        /// The different documents that it read.
        package var documentCount: Int { documents.count }
        /// All its billed reads.
        package var total: Int64 { causes.values.reduce(0, +) }

        fileprivate mutating func add(_ count: Int64, to cause: ReadCause) {
            let sum = (causes[cause] ?? 0) + count
            causes[cause] = sum == 0 ? nil : sum
        }
    }

    /// A version of a document: its number, and the number of times that it was found changed.
    struct Version: Sendable, Hashable {
        let document: Int32
        let revision: Int32
    }

    private var byName: [String: Query] = [:]
    /// The revision that each user has read last, by the numbers of both.
    private var known: [UInt64: Int32] = [:]

    /// Most reads first.
    package var queries: [Query] {
        byName.values.filter { !$0.causes.isEmpty }.sorted { ($1.total, $0.name) < ($0.total, $1.name) }
    }

    /// All billed reads.
    package var total: Int64 { byName.values.reduce(0) { $0 + $1.total } }

    /// Adds what a request was billed; `versions` are those of the documents it read.
    mutating func add(_ record: UsageRecord, _ reading: SessionRequest.Reading?, _ versions: [Version], by user: Int32)
    {
        var rest = record.billed.documentReads
        guard rest > 0 || !versions.isEmpty else { return }
        let name = Self.name(of: record)
        var query = byName[name] ?? Query(name: name)
        for version in versions {
            let key = UInt64(UInt32(bitPattern: user)) << 32 | UInt64(UInt32(bitPattern: version.document))
            let last = known.updateValue(version.revision, forKey: key)
            query.documents.insert(version.document)
            guard rest > 0 else { continue }
            rest -= 1
            query.add(1, to: last.map { $0 == version.revision ? .unchanged : .changed } ?? .first)
        }
        for (cause, count) in Self.causes(of: rest, reading, hasDocuments: !versions.isEmpty) {
            query.add(count, to: cause)
        }
        byName[name] = query
    }

    /// Takes back what a request was billed whose documents are read again by the line in its place.
    mutating func takeBack(_ record: UsageRecord, _ reading: SessionRequest.Reading?, documentCount: Int) {
        let name = Self.name(of: record)
        let billed = record.billed.documentReads
        let ofDocuments = min(billed, Int64(documentCount))
        var causes = Self.causes(of: billed - ofDocuments, reading, hasDocuments: documentCount > 0)
        if ofDocuments > 0 { causes.append((.unchanged, ofDocuments)) }
        for (cause, count) in causes {
            byName[name, default: Query(name: name)].add(-count, to: cause)
        }
    }

    /// The causes of reads that brought no document.
    private static func causes(
        of count: Int64,
        _ reading: SessionRequest.Reading?,
        hasDocuments: Bool
    ) -> [(ReadCause, Int64)] {
        guard count > 0 else { return [] }
        guard let reading else { return [(.other, count)] }
        if reading.isAggregation { return [(.index, count)] }
        // A document that leaves a listener's result because it changed is one.
        if reading.isChange { return [(.changed, count)] }
        let missing = min(count, Int64(reading.missingCount))
        let rest: ReadCause = reading.list != nil && !hasDocuments && missing == 0 ? .empty : .other
        return [(.missing, missing), (rest, count - missing)].filter { $0.1 > 0 }
    }

    private static func name(of record: UsageRecord) -> String {
        let attribution = record.attribution
        return attribution.queryShape ?? attribution.collection.map { "\($0), by name" } ?? attribution.operation
    }
}
