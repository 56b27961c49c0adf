// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import FirestoreModel

/// Keeps the nearest documents of those it is shown; only their names where the documents are large.
package struct NearestFold {
    struct Member {
        let distance: Double
        let path: DocumentPath
        /// `nil` in a result that is too large to be held.
        var document: Document?
    }

    private let search: NearestSearch
    /// Nearest first; equally near ones in the order in which they came.
    private(set) var members: [Member] = []
    private var holdsDocuments = true
    private var heldByteCount = 0

    package init(_ search: NearestSearch) {
        self.search = search
    }

    /// Takes the next document; one without a vector of that length is left out.
    ///
    /// - Throws: `FirestoreError` (failed precondition) for a vector without direction where that matters.
    package mutating func add(_ document: Document) throws {
        guard case .vector(let vector) = try document.value(at: search.field),
            vector.count == search.vector.count
        else { return }
        try refuseZero(vector)
        let distance = search.measure(vector, search.vector)
        guard !distance.isNaN, isWithinThreshold(distance) else { return }
        let index = members.partitioningIndex { search.measure.isNearer(distance, than: $0.distance) }
        guard index < search.limit else { return }
        members.insert(Member(distance: distance, path: document.path, document: hold(document)), at: index)
        if members.count > search.limit, let last = members.popLast()?.document {
            heldByteCount -= last.heldByteCount
        }
    }

    /// A document found, with its distance where the search wants it.
    func finish(_ document: Document, at distance: Double) throws -> Document {
        guard let field = search.resultField else { return document }
        var fields = try document.fields
        fields[field] = .double(distance)
        var finished = document
        finished.encodedFields = EncodedFields(fields)
        return finished
    }

    private mutating func hold(_ document: Document) -> Document? {
        guard holdsDocuments else { return nil }
        heldByteCount += document.heldByteCount
        guard heldByteCount > ResultLimits.sortedByteCountMax else { return document }
        holdsDocuments = false
        for index in members.indices { members[index].document = nil }
        return nil
    }

    private func refuseZero(_ vector: [Double]) throws {
        guard search.measure == .cosine else { return }
        guard !vector.contains(where: { $0 != 0 }) || !search.vector.contains(where: { $0 != 0 }) else { return }
        throw FirestoreError.cosineOfZeroVector
    }

    private func isWithinThreshold(_ distance: Double) -> Bool {
        guard let threshold = search.threshold else { return true }
        return distance == threshold || search.measure.isNearer(distance, than: threshold)
    }
}

extension Array {
    /// The index of the first element that satisfies the predicate, in an array where all after it do too.
    fileprivate func partitioningIndex(where isAfter: (Element) -> Bool) -> Int {
        var range = 0..<count
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            range = isAfter(self[middle]) ? range.lowerBound..<middle : middle + 1..<range.upperBound
        }
        return range.lowerBound
    }
}
