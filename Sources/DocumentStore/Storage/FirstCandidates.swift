// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Sorts candidates and keeps only as many as the query can return or skip.
struct FirstCandidates {
    private let orders: [Query.Ordering]
    /// `nil` to keep all.
    let countMax: Int?
    private var seen: Set<Int64> = []
    private var members: [(key: OrderedKey, candidate: Candidate)] = []

    init(_ plan: QueryPlan) {
        self.orders = plan.orders
        self.countMax = plan.matchCountMax
    }

    /// Whether a document was added before.
    func has(_ row: Int64) -> Bool { seen.contains(row) }

    /// Adds a candidate that has all fields of the order, unless it was added before.
    mutating func add(_ candidate: Candidate) {
        guard seen.insert(candidate.row).inserted, let key = candidate.sortKey(in: orders) else { return }
        members.append((key, candidate))
        // Sorting only when twice as many are there costs little and keeps memory to the limit.
        if let countMax, members.count / 2 > max(countMax, 64) {
            sortAndDrop()
        }
    }

    /// Returns the first candidates in order and starts over.
    mutating func finish() -> [Candidate] {
        sortAndDrop()
        defer { members.removeAll() }
        return members.map(\.candidate)
    }

    private mutating func sortAndDrop() {
        members.sort { $0.key < $1.key }
        if let countMax, members.count > countMax {
            members.removeSubrange(countMax...)
        }
    }
}
