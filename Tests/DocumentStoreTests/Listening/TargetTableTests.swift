// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import DocumentStore

/// The targets of one stream.
struct TargetTableTests {
    private struct Target: Identifiable, Equatable {
        let id: Int32
        var isOnce = false
        var isCurrent = false
    }

    @Test(arguments: [[1], [1, 2, 3], [3, 2, 1], [5, 1, 900, 2, 4], [2, 2, 1, 2]] as [[Int32]])
    func `keeps targets by their ids, in order`(ids: [Int32]) throws {
        var table = TargetTable<Target>()
        for id in ids { table.put(Target(id: id)) }
        #expect(table.ordered.map(\.id) == Set(ids).sorted())
        for id in ids { #expect(table[id]?.id == id) }
        #expect(table[7] == nil)
        #expect(table.remove(7) == nil)
        let first = try #require(ids.first)
        #expect(table.remove(first)?.id == first)
        #expect(table.ordered.map(\.id) == Set(ids).subtracting([first]).sorted())
    }

    @Test func `the target of an id is replaced, or changed in place`() {
        var table = TargetTable<Target>()
        table.put(Target(id: 1))
        table.put(Target(id: 2))
        table.put(Target(id: 1, isOnce: true))
        table.update(2) { $0.isCurrent = true }
        table.update(3) { $0.isCurrent = true }
        #expect(table.ordered.map(\.isOnce) == [true, false])
        #expect(table.ordered.map(\.isCurrent) == [false, true])
        table.updateEach { $0.isCurrent.toggle() }
        #expect(table.ordered.map(\.isCurrent) == [true, false])
    }
}
