// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel

/// A target's documents, counted; those of a query with their names, unless there are too many.
struct NameCount {
    private(set) var count = 0
    /// The reads billed for the index entries that were read.
    fileprivate(set) var indexEntryReads = 0
    private var hashes: [NameHash] = []
    private let collectsNames: Bool
    let isOfQuery: Bool

    init(collectsNames: Bool) {
        self.collectsNames = collectsNames
        self.isOfQuery = true
    }

    /// The count of documents by name, there or not.
    init(of paths: [DocumentPath]) {
        self.count = paths.count
        self.collectsNames = false
        self.isOfQuery = false
    }

    mutating func add(_ reference: @autoclosure () -> DocumentReference) {
        count += 1
        guard collectsNames, count <= ListenLimits.bloomNameMax else { return }
        hashes.append(NameHash(reference().name))
    }

    /// `nil` when names were not wanted or are too many.
    var filter: BloomFilter? {
        collectsNames && hashes.count == count ? BloomFilter(hashes) : nil
    }
}

extension ListenSnapshot {
    /// Counts a query's documents now.
    func nameCount(of query: ResultQuery, collectsNames: Bool) throws -> NameCount {
        var names = NameCount(collectsNames: collectsNames)
        let billed = try forEach(of: query.plan) { document in
            names.add(DocumentReference(database: query.plan.database, path: document.path))
        }
        names.indexEntryReads = QuerySummary.reads(ofIndexEntries: billed)
        return names
    }
}
