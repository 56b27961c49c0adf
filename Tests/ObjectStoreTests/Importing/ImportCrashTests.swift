// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import ObjectStore
import ObjectStoreCrashScript
import TestSupport
import Testing

/// Kills a process that imports sets of objects and looks at what it leaves.
@Suite(.timeLimit(.minutes(2))) struct ImportCrashTests {
    @Test func `an import is there whole or not at all`() throws {
        let directory = TemporaryDirectory()
        var begun: Int64 = 1
        for acknowledgementCount in [0, 1, 2, 3, 5, 8, 13] {
            var ended = begun - 1
            let writer = try CrashWriter(importingInto: directory.path, seed: UInt64(begun), time: testTime)
            _ = try writer.run(until: acknowledgementCount) { line in
                switch CrashLine(line) {
                case .begunImport(let number): begun = number
                case .acknowledged: ended = begun
                case .begun, nil: Issue.record("an importing writer prints nothing else: \(line)")
                }
            }
            let store = try SQLiteObjectStore.make(directory)
            let objects = try store.list(#require(BucketName("bkt"))).items
            let rounds = Set(objects.map(\.generation))
            #expect(rounds.count <= 1)
            #expect(rounds.isSubset(of: [ended, begun]))
            #expect(objects.count == (rounds.isEmpty ? 0 : 8))
            for object in objects {
                let fill = UInt8(truncatingIfNeeded: object.generation)
                #expect(try store.bytes(at: object.path)?.allSatisfy { $0 == fill } == true)
            }
            #expect(try directory.dataFiles().count == objects.count)
            begun += 1
        }
    }
}
