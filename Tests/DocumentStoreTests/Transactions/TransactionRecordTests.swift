// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreSamples
import Testing

@testable import DocumentStore
@testable import FirestoreModel

struct TransactionRecordTests {
    private typealias Phase = TransactionRecord.Phase

    private func record(_ phase: TransactionRecord.Phase) -> TransactionRecord {
        var record = TransactionRecord(
            key: TransactionKey(ordinal: 1),
            database: demo,
            age: 1,
            beginning: .seconds(100),
            mode: .readWrite
        )
        record.phase = phase
        return record
    }

    /// Recorded from production: t-k/fireemu, FS-TRANSACTION (2026-10); the aborted ones are ours.
    @Test(
        "refuses like production",
        arguments: [
            (.active, 10, nil, nil, nil),
            (.committing, 10, Refusal.over, Refusal.over, Refusal.over),
            (.ended(.committed), 10, Refusal.over, Refusal.over, Refusal.over),
            (.ended(.committed), 310, Refusal.unknown, Refusal.unknown, Refusal.unknown),
            (.ended(.rolledBack), 10, Refusal.over, Refusal.over, nil),
            (.ended(.refused), 10, Refusal.refused, Refusal.refused, nil),
            (.ended(.aborted), 10, Refusal.over, Refusal.over, nil),
            (.ended(.expired), 130, Refusal.over, Refusal.over, nil),
            (.ended(.expired), 286, Refusal.over, Refusal.over, Refusal.over),
            (.ended(.expired), 300, Refusal.unknown, Refusal.unknown, Refusal.unknown),
        ] as [(TransactionRecord.Phase, Int, String?, String?, String?)]
    )
    func refusals(phase: TransactionRecord.Phase, age: Int, read: String?, commit: String?, rollback: String?) {
        let record = record(phase)
        for (use, expected) in zip(TransactionRecord.Use.allCases, [read, commit, rollback]) {
            let error = record.refusal(of: use, at: .seconds(100 + age), times: .production)
            #expect(error.map { "\($0.code.rawValue): \($0.message)" } == expected, "\(use)")
        }
    }

    @Test func `expires when idle or old, not while it reads or commits`() {
        let times = TransactionTimes.documented
        var record = record(.active)
        #expect(record.expiry(times) == .seconds(160))
        record.beginRead(at: .seconds(150))
        #expect(record.expiry(times) == .seconds(370))
        record.endRead(at: .seconds(200))
        #expect(record.expiry(times) == .seconds(260))
        record.beginRead(at: .seconds(340))
        record.endRead(at: .seconds(340))
        #expect(record.expiry(times) == .seconds(370))
        record.phase = .committing
        #expect(record.expiry(times) == nil)
    }
}
