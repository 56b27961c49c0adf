// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import SessionLog

/// The views that were inferred of a log's users, a group of users at a time, and why their bytes were sent.
struct InferredGroups: Sendable {
    private struct Found: Sendable {
        var tally: DownloadTally
        var views: ViewSpool
    }

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
        let found = Locked(Found(tally: none, views: ViewSpool(bucketCount: count)))
        try GroupQueue(count: count).onAllCores { (group) throws(SessionLogError) in
            var tally = none
            var views: [SessionView] = []
            try inference.read(group: group) { visits, inferred in
                tally.add(visits, opened: inferred.opened)
                views += inferred.views
            }
            // Sorting is stable: views of one time stay in the order of the users.
            views.sort { $0.atMilliseconds < $1.atMilliseconds }
            try found.withLock { (found) throws(SessionLogError) in
                found.tally.add(tally)
                for view in views { try found.views.append(view, to: group) }
            }
        }
        let all = found.withLock { $0 }
        downloads = RecordedDownloads(all.tally)
        views = all.views
    }

    /// The views of a group, counted from 0, in the order of their times.
    func views(ofGroup group: Int) throws(SessionLogError) -> [SessionView] {
        try views.users(ofBucket: group).flatMap(\.views).sorted { $0.number < $1.number }.map(\.view)
    }
}
