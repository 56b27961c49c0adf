// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Keeps the nearest documents of those it is shown.
package struct NearestFold {
    private let search: NearestSearch
    /// Nearest first; equally near ones in the order in which they came.
    private var members: [(distance: Double, document: Document)] = []

    package init(_ search: NearestSearch) {
        self.search = search
    }

    /// Takes the next document; one without a vector of that length is left out.
    ///
    /// - Throws: `DocumentStoreError` (failed precondition) for a vector without direction where that matters.
    package mutating func add(_ document: Document) throws {
        guard case .vector(let vector) = document.fields.value(at: search.field),
            vector.count == search.vector.count
        else { return }
        try refuseZero(vector)
        let distance = search.measure(vector, search.vector)
        guard !distance.isNaN, isWithinThreshold(distance) else { return }
        let index = members.partitioningIndex { search.measure.isNearer(distance, $0.distance) }
        guard index < search.limit else { return }
        members.insert((distance, document), at: index)
        if members.count > search.limit {
            members.removeLast()
        }
    }

    /// The documents found, each with its distance where the search wants it.
    package var documents: [Document] {
        members.map { member in
            guard let field = search.resultField else { return member.document }
            var document = member.document
            document.fields[field] = .double(member.distance)
            return document
        }
    }

    private func refuseZero(_ vector: [Double]) throws {
        guard search.measure == .cosine else { return }
        guard !vector.contains(where: { $0 != 0 }) || !search.vector.contains(where: { $0 != 0 }) else { return }
        throw DocumentStoreError.cosineOfZeroVector
    }

    private func isWithinThreshold(_ distance: Double) -> Bool {
        guard let threshold = search.threshold else { return true }
        return distance == threshold || search.measure.isNearer(distance, threshold)
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
