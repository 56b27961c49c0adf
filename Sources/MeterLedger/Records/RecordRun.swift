// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering

/// Copies of one record that differ in their times and are written together; they take one row.
struct RecordRun {
    /// The first of them.
    let first: UsageRecord
    /// How many there are.
    private(set) var count: Int64 = 1
    /// The times of all but the first.
    private(set) var laterTimes: RecordTimes

    init(_ first: UsageRecord) {
        self.first = first
        laterTimes = RecordTimes(after: first)
    }

    /// Returns `false`, and takes nothing, when the times lie too far apart for one run.
    mutating func append(_ times: UsageRun.Times) -> Bool {
        guard laterTimes.append(times) else { return false }
        count += 1
        return true
    }

    /// Brings together the records that are copies of each other; the runs are in the order of their first records.
    static func runs(of batch: [UsageRun]) -> [RecordRun] {
        var runs: [RecordRun] = []
        var places: [ObjectIdentifier: Int] = [:]
        for run in batch {
            var place = places[run.first.contentID]
            func put(_ times: UsageRun.Times) {
                if let place, runs[place].append(times) { return }
                place = runs.count
                runs.append(RecordRun(run.first.at(times)))
            }
            put(run.first.times)
            for times in run.laterTimes { put(times) }
            places[run.first.contentID] = place
        }
        return runs
    }
}
