// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

extension SQLiteDocumentStore {
    /// Cuts a query over a collection group into up to `count` parts of about equal size: the names that begin the
    /// second part and those after it, in order.
    ///
    /// - Throws: `DocumentStoreError` (invalid argument) for a query that is refused.
    package func partition(
        _ query: Query,
        count: Int,
        in database: DatabaseID,
        at time: Timestamp? = nil
    ) throws -> [DocumentPath] {
        var names = query
        names.projection = DocumentMask([])
        var sample = NameSample(countMax: PartitionLimits.sampleCountMax)
        _ = try run(names, in: database, at: time) { sample.add($0.path) }
        return sample.cuts(into: min(count, sample.documentCount / PartitionLimits.documentCountMin))
    }
}

/// How finely a query is cut.
package enum PartitionLimits {
    /// Names kept while a collection group is read; more parts than this are never made.
    static let sampleCountMax = 2_048
    /// A part is not made for fewer documents.
    ///
    /// Production wants about as many (recorded 2026-09: one cut among 100 documents, none among 5).
    static let documentCountMin = 128
}

/// Names at equal distances in a sequence whose length is not known before its end.
struct NameSample {
    private let countMax: Int
    private var names: [DocumentPath] = []
    private var distance = 1
    private(set) var documentCount = 0

    init(countMax: Int) {
        self.countMax = countMax
    }

    mutating func add(_ name: DocumentPath) {
        if documentCount.isMultiple(of: distance) {
            names.append(name)
            if names.count == countMax { halve() }
        }
        documentCount += 1
    }

    /// The first names of all parts but the first.
    func cuts(into partCount: Int) -> [DocumentPath] {
        guard partCount > 1 else { return [] }
        return (1..<min(partCount, names.count)).map { names[$0 * names.count / min(partCount, names.count)] }
    }

    private mutating func halve() {
        names = names.indices.filter { $0.isMultiple(of: 2) }.map { names[$0] }
        distance *= 2
    }
}
