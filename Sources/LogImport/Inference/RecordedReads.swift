// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

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
    /// Documents that Security Rules looked at to judge the request.
    case rules
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
        package let causes: [ReadCause: Int64]
        /// The different documents that it read.
        package let documentCount: Int
        /// All its billed reads.
        package var total: Int64 { causes.values.reduce(0, +) }
    }

    /// Most reads first.
    package let queries: [Query]

    /// All billed reads.
    package var total: Int64 { queries.reduce(0) { $0 + $1.total } }

    /// The reads that an imported session was written with; causes that this version does not know count as others.
    init(_ kept: [SessionHeader.Imported.QueryReads]) {
        queries = kept.map { reads in
            let causes = reads.causes.map { (ReadCause(rawValue: $0.key) ?? .other, $0.value) }
            return Query(
                name: reads.query,
                causes: Dictionary(causes, uniquingKeysWith: +),
                documentCount: reads.documentCount
            )
        }
    }

    /// Sums up the answers of all users.
    ///
    /// - Parameters:
    ///   - events: The events of the log.
    ///   - names: The names of the queries.
    ///   - storageRuleReads: The reads of Security Rules that judged requests to Storage.
    /// - Throws: `SessionLogError` where the events cannot be read back.
    init(_ events: UserEvents, names: [String], storageRuleReads: Int64) throws(SessionLogError) {
        var tallies = names.map { _ in ReadTally() }
        for group in 0..<(names.isEmpty ? 0 : events.groupCount) {
            try events.read(group: group) { (_, events) throws(SessionLogError) in
                var known: [Int32: Int32] = [:]
                for case .answer(let answer) in events.lazy.map(\.subject) {
                    tallies[answer.query].add(answer, known: &known)
                }
            }
        }
        var queries = zip(names, tallies).filter { !$0.1.causes.isEmpty }.map { name, tally in
            Query(name: name, causes: tally.causes, documentCount: tally.documents.count)
        }
        if storageRuleReads > 0 {
            queries.append(Query(name: "files of Storage", causes: [.rules: storageRuleReads], documentCount: 0))
        }
        self.queries = queries.sorted { ($1.total, $0.name) < ($0.total, $1.name) }
    }

    /// The reads, to be kept with an imported session.
    var kept: [SessionHeader.Imported.QueryReads] {
        queries.map { query in
            SessionHeader.Imported.QueryReads(
                query: query.name,
                documentCount: query.documentCount,
                causes: Dictionary(uniqueKeysWithValues: query.causes.map { ($0.key.rawValue, $0.value) })
            )
        }
    }
}

/// The reads of one query, while they are added up.
private struct ReadTally {
    private(set) var causes: [ReadCause: Int64] = [:]
    private(set) var documents: Set<Int32> = []

    /// Adds the reads of an answer; `known` are the revisions that its user has read last, by document.
    mutating func add(_ answer: LoggedAnswer, known: inout [Int32: Int32]) {
        if answer.ruleReads > 0 { causes[.rules, default: 0] += answer.ruleReads }
        var rest = answer.documentReads - answer.ruleReads
        guard rest > 0 || !answer.versions.isEmpty else { return }
        for version in answer.versions {
            let last = known.updateValue(version.revision, forKey: version.document)
            documents.insert(version.document)
            guard rest > 0 else { continue }
            rest -= 1
            causes[last.map { $0 == version.revision ? .unchanged : .changed } ?? .first, default: 0] += 1
        }
        for (cause, count) in answer.causes(ofReadsWithoutDocument: rest) { causes[cause, default: 0] += count }
    }
}

extension LoggedAnswer {
    /// The causes of reads that brought no document.
    fileprivate func causes(ofReadsWithoutDocument count: Int64) -> [(ReadCause, Int64)] {
        guard count > 0 else { return [] }
        switch kind {
        case .undescribed, .objects: return [(.other, count)]
        case .counted: return [(.index, count)]
        // A document that leaves a listener's result because it changed is one.
        case .changes: return [(.changed, count)]
        case .list, .documents:
            let missing = min(count, Int64(missingCount))
            let rest: ReadCause = kind == .list && versions.isEmpty && missing == 0 ? .empty : .other
            return [(.missing, missing), (rest, count - missing)].filter { $0.1 > 0 }
        }
    }
}
