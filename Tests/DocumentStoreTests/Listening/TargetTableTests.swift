// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel
import FirestoreSamples
import Testing

@testable import DocumentStore

/// The targets of one stream.
struct TargetTableTests {
    private func target(_ id: Int32, once: Bool = false) throws -> StreamCore.Target {
        let fixture = try ListenFixture()
        let subject = ResultSubject.documents([])
        let key = ResultKey(database: demo, content: .documents([]))
        let liveResult = LiveResult(key, subject: subject, reader: fixture.hub.reader)
        return StreamCore.Target(
            id: id,
            liveResult: liveResult,
            subscriber: 1,
            once: once,
            label: TargetLabel(),
            authorization: nil
        )
    }

    @Test(arguments: [[1], [1, 2, 3], [3, 2, 1], [5, 1, 900, 2, 4], [2, 2, 1, 2]] as [[Int32]])
    func `keeps targets by their ids, in order`(ids: [Int32]) throws {
        var table = TargetTable()
        for id in ids { table.put(try target(id)) }
        #expect(table.ordered.map(\.id) == Set(ids).sorted())
        for id in ids { #expect(table[id]?.id == id) }
        #expect(table[7] == nil)
        #expect(table.remove(7) == nil)
        let first = try #require(ids.first)
        #expect(table.remove(first)?.id == first)
        #expect(table.ordered.map(\.id) == Set(ids).subtracting([first]).sorted())
    }

    @Test func `the target of an id is replaced, or changed in place`() throws {
        var table = TargetTable()
        table.put(try target(1))
        table.put(try target(2))
        table.put(try target(1, once: true))
        table.update(2) { $0.isCurrent = true }
        table.update(3) { $0.isCurrent = true }
        #expect(table.ordered.map(\.once) == [true, false])
        #expect(table.ordered.map(\.isCurrent) == [false, true])
        table.updateEach { $0.isCurrent.toggle() }
        #expect(table.ordered.map(\.isCurrent) == [true, false])
    }
}
