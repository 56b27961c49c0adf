// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import GRDB
import ObjectStoreCrashScript
import TestSupport
import Testing

@testable import ObjectStore

/// Kills a writing process at varied moments and looks at what it leaves.
@Suite(.timeLimit(.minutes(10))) struct CrashTests {
    /// A few rounds by default; `FIREMETER_CRASH_ROUNDS` asks for more.
    private static let roundCount =
        ProcessInfo.processInfo.environment["FIREMETER_CRASH_ROUNDS"].flatMap { Int($0) } ?? 10
    private static let acknowledgementCounts = [0, 1, 2, 3, 5, 8, 13, 21, 34, 55]
    /// The clock stands still within a round; softly deleted objects expire some rounds later.
    private static let roundMicroseconds: Int64 = 10_000_000

    @Test func `keeps what was acknowledged, shows nothing half-written and leaks nothing`() throws {
        let directory = TemporaryDirectory()
        var model = CrashModel()
        for round in 0..<Self.roundCount {
            let time = testTime + Int64(round) * Self.roundMicroseconds
            model.beginRound(at: time)
            let writer = try CrashWriter(
                directory: directory.path,
                seed: UInt64(round) + 1,
                time: time,
                partedUploads: model.partedUploads
            )
            let wantedCount = Self.acknowledgementCounts[round % Self.acknowledgementCounts.count]
            // Three and the number of counts share no divisor: in time, every count is aimed as well.
            let aim: CrashWriter.Aim = round % 3 == 2 ? .completion : .anything
            let count = try writer.run(until: wantedCount, aimingAt: aim) { try model.note($0) }
            #expect(count >= wantedCount)
            let store = try SQLiteObjectStore.make(directory, at: time)
            try model.reconcile(with: store)
            try expectNoLeak(in: store, directory)
        }
    }

    private func expectNoLeak(in store: SQLiteObjectStore, _ directory: TemporaryDirectory) throws {
        let (blobs, uploads, strayPartCount, verdict) = try store.reading { database in
            (
                try String.fetchSet(
                    database,
                    sql: "SELECT blob FROM object UNION SELECT blob FROM noncurrent UNION SELECT blob FROM part"
                ),
                try UploadTable(database: database).activeIDs(),
                try Int.fetchOne(
                    database,
                    sql: "SELECT count(*) FROM part WHERE uploadID NOT IN (SELECT id FROM partedUpload)"
                ),
                try String.fetchOne(database, sql: "PRAGMA integrity_check")
            )
        }
        let expected = blobs.map { "blobs/\($0.prefix(2))/\($0)" } + uploads.map { "uploads/\($0)" }
        #expect(try directory.dataFiles() == expected.sorted())
        #expect(strayPartCount == 0)
        #expect(verdict == "ok")
    }
}

extension UploadTable {
    /// The uploads that bytes may be appended to.
    func activeIDs() throws -> Set<String> {
        try String.fetchSet(database, sql: "SELECT id FROM upload").filter { id in
            try UploadID(id).map(isActive) ?? false
        }
    }
}
