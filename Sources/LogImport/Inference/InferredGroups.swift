// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import SessionLog

/// The views that were inferred of a log's users, a group of users at a time, and why their bytes were sent.
struct InferredGroups: Sendable {
    /// The number of groups.
    let count: Int
    /// The downloads of all users.
    let downloads: RecordedDownloads?
    /// Each group has a bucket.
    private let views: ViewSpool

    /// Infers the views of all users, on as many cores as there are.
    init(_ inference: ViewInference, activity: LoggedActivity) throws(SessionLogError) {
        count = inference.groupCount
        let none = DownloadTally(activity)
        let spool = Locked(ViewSpool(bucketCount: count))
        let queue = GroupQueue(count: count)
        var tallies = try queue.onAllCores(startingWith: none) { (tally, group) throws(SessionLogError) in
            var views: [SessionView] = []
            try inference.read(group: group) { visits, inferred in
                tally.add(visits, opened: inferred.opened)
                views += inferred.views
            }
            // Sorting is stable: views of one time stay in the order of the users.
            views.sort { $0.atMilliseconds < $1.atMilliseconds }
            try spool.withLock { (spool) throws(SessionLogError) in
                for view in views { try spool.append(view, to: group) }
            }
        }
        var tally = tallies.popLast() ?? none
        for other in tallies { tally.add(other) }
        downloads = RecordedDownloads(tally)
        views = spool.withLock { $0 }
    }

    /// The views of a group, counted from 0, in the order of their times.
    func views(ofGroup group: Int) throws(SessionLogError) -> [SessionView] {
        try views.users(ofBucket: group).flatMap(\.views).sorted { $0.number < $1.number }.map(\.view)
    }
}
