// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering

extension UsageRun {
    /// Brings together the records that are copies of each other, which take one row; in the order of the first of each.
    static func merging(_ batch: [UsageRun]) -> [UsageRun] {
        var merged: [UsageRun] = []
        var places: [ObjectIdentifier: Int] = [:]
        for run in batch {
            let id = run.first.contentID
            if let place = places[id], merged[place].append(run) { continue }
            places[id] = merged.count
            merged.append(run)
        }
        return merged
    }
}
