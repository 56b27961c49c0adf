// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Puts candidates that come almost in order into order.
///
/// An index tells the order up to the first 1,500 bytes of the first criterion. Candidates alike so far are held
/// back, sorted and given out together; most often each stands alone and passes straight through.
struct SortedRun {
    private let plan: QueryPlan
    private var key: ArraySlice<UInt8> = []
    private var members: FirstCandidates

    init(_ plan: QueryPlan) {
        self.plan = plan
        self.members = FirstCandidates(plan)
    }

    /// Takes the next candidate and returns those whose place is now known, in order.
    mutating func add(_ entry: IndexScan.Entry) -> [Candidate] {
        guard let newKey = runKey(of: entry) else {
            return finish() + [entry.candidate]
        }
        let finished = newKey == key ? [] : finish()
        key = newKey
        members.add(entry.candidate)
        return finished
    }

    /// Returns the candidates held back.
    mutating func finish() -> [Candidate] {
        key = []
        return members.finish()
    }

    /// What the candidates of a run have in common; `nil` when the index tells this one's exact place.
    private func runKey(of entry: IndexScan.Entry) -> ArraySlice<UInt8>? {
        switch plan.access.order {
        case .unrelated, .exact:
            guard entry.key.count > IndexKey.valueByteCountMax else { return nil }
            return entry.key.prefix(IndexKey.valueByteCountMax)
        case .byRuns(let path):
            // An accepted candidate has all fields of the order.
            guard let value = entry.candidate.value(at: path) else { return nil }
            return OrderedKey(value).bytes.prefix(IndexKey.valueByteCountMax)
        }
    }
}
