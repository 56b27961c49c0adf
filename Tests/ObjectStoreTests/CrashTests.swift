// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import ObjectStore
import Testing

/// Kills a writing process at varied moments and looks at what it leaves.
@Suite(.timeLimit(.minutes(2))) struct CrashTests {
    @Test func `keeps what was acknowledged and shows nothing half-written`() throws {
        let directory = try TemporaryDirectory()
        var model = CrashModel()
        for (round, acknowledgementCount) in [0, 1, 2, 3, 5, 8, 13, 21, 34, 55].enumerated() {
            let writer = try CrashWriter(directory: directory.path, seed: UInt64(round) + 1)
            let count = writer.run(until: acknowledgementCount) { model.note($0) }
            #expect(count >= acknowledgementCount)
            let store = try SQLiteObjectStore.make(directory)
            let listing = try store.list(#require(BucketName("bkt")))
            try model.reconcile(with: listing.items, in: store)
            #expect(try directory.dataFiles().count == listing.items.count)
        }
    }
}
