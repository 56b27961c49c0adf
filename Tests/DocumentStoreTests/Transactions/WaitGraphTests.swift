// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import DocumentStore
@testable import FirestoreModel

struct WaitGraphTests {
    /// Each transaction's commit has the ticket of the same number.
    private func graph(_ waits: [Int: [Int]], outsiders: Set<Int> = []) -> WaitGraph {
        var graph = WaitGraph()
        for (waiter, blockers) in waits.sorted(by: { $0.key < $1.key }) {
            graph.add(
                CommitTicket(ordinal: waiter),
                of: outsiders.contains(waiter) ? nil : TransactionKey(ordinal: waiter),
                waitingFor: Set(blockers.map { TransactionKey(ordinal: $0) })
            )
        }
        return graph
    }

    @Test(
        "finds circles",
        arguments: [
            ([1: [2]], nil),
            ([1: [2], 2: [1]], [1, 2]),
            ([1: [2], 2: [3]], nil),
            ([1: [2], 2: [3], 3: [1]], [1, 2, 3]),
            ([1: [2, 3, 4], 4: [5], 5: [1]], [1, 4, 5]),
            ([1: [2], 2: [3], 3: [2]], nil),
            ([1: [2, 3], 2: [4], 3: [4], 4: [5]], nil),
            ([1: [2, 3], 2: [4], 3: [4], 4: [3, 1]], [1, 3, 4]),
        ] as [([Int: [Int]], [Int]?)]
    )
    func circles(waits: [Int: [Int]], expected: [Int]?) {
        let circle = graph(waits).circle(through: TransactionKey(ordinal: 1))
        #expect(circle?.map(\.ordinal).sorted() == expected)
    }

    @Test func `nobody waits for a commit outside of transactions`() {
        let graph = graph([1: [2], 2: [1]], outsiders: [2])
        #expect(graph.circle(through: TransactionKey(ordinal: 1)) == nil)
    }

    @Test func `an end frees those that waited for it alone, longest waiting first`() {
        var graph = graph([3: [1], 4: [1, 2], 5: [1], 6: [2]], outsiders: [3, 4, 5, 6])
        #expect(graph.end(TransactionKey(ordinal: 1)).map(\.ordinal) == [3, 5])
        graph.remove(CommitTicket(ordinal: 3))
        graph.remove(CommitTicket(ordinal: 5))
        #expect(graph.end(TransactionKey(ordinal: 2)).map(\.ordinal) == [4, 6])
    }

    @Test func `one that is removed waits for nobody`() {
        var graph = graph([1: [2], 2: [1]])
        graph.remove(CommitTicket(ordinal: 2))
        #expect(graph.circle(through: TransactionKey(ordinal: 1)) == nil)
        #expect(graph.ticket(of: TransactionKey(ordinal: 2)) == nil)
        #expect(graph.count == 1)
    }
}
