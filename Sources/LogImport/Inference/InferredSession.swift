// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering
package import SessionLog

/// A session of a log that has no views, whatever app made its requests: its views are inferred, and handed out for a group of
/// users at a time.
package struct InferredSession: Sendable {
    /// The header, with what was assumed.
    package let header: SessionHeader
    /// The images that the views show.
    package let images: [SessionImage]
    /// What really happened.
    package let usage: RecordedUsage
    /// The metered requests of the log.
    let requestCount: Int
    private let groups: InferredGroups

    /// Infers a session; `nil` when a log has no query and no download.
    init?(
        _ activity: LoggedActivity,
        header: SessionHeader?,
        learned: [ImageLayout],
        stated: [ImageLayout],
        rules: InferenceRules
    ) throws(SessionLogError) {
        guard let start = activity.start else { return nil }
        var activity = activity
        var owned = OwnedObjects(activity, layouts: stated.isEmpty ? learned : stated, areStated: !stated.isEmpty)
        if owned.layouts.isEmpty {
            owned = OwnedObjects(byNamesIn: &activity, layouts: stated)
        } else {
            owned.takeListed(in: &activity)
        }
        let users = LoggedUsers(activity)
        let events = try UserEvents(activity, users: users, owned: owned)
        let habits = try VisitHabits(events, owned: owned, rules: rules)
        let reads = try RecordedReads(events, names: activity.queries)
        let inference = ViewInference(
            activity,
            users: users,
            owned: owned,
            events: events,
            habits: habits,
            rules: rules
        )
        groups = try InferredGroups(inference, activity: activity)
        usage = RecordedUsage(activity, owned: owned, reads: reads, downloads: groups.downloads)
        var inferred = header ?? SessionHeader(createdAt: LogTime(microseconds: start))
        inferred.createdAt = LogTime(microseconds: start)
        let assumptions = Assumptions(activity, users: users, owned: owned, habits: habits, rules: rules)
        inferred.imported = SessionHeader.Imported(
            downloadCount: activity.objects.reduce(0) { $0 + $1.usage.requests },
            byteCount: activity.objects.reduce(0) { $0 + $1.usage.sent.body },
            assumptions: assumptions.sentences,
            explained: usage.explained,
            usage: usage.kept
        )
        self.header = inferred
        images = Self.images(activity, owned: owned)
        requestCount = Int(usage.total.values.reduce(0) { $0 + $1.requests })
    }

    /// The number of groups of users.
    package var groupCount: Int { groups.count }

    /// The session of the users of a group, counted from 0: its views in the order of their times.
    package func session(ofGroup number: Int) throws(SessionLogError) -> SessionLog {
        let views = try groups.views(ofGroup: number)
        return SessionLog(header: header, views: views, images: images, requestCount: requestCount)
    }

    private static func images(_ activity: LoggedActivity, owned: OwnedObjects) -> [SessionImage] {
        activity.objects.indices.flatMap { number in
            let object = activity.objects[number]
            return owned.owners[number].map { owner in
                SessionImage(
                    object: object.name,
                    byteCount: object.byteCount,
                    place: SessionImage.Place(
                        bucket: object.bucket,
                        post: activity.documents[Int(owner.document)].path,
                        index: Int(owner.index)
                    ),
                    pixels: object.pixels
                )
            }
        }
    }
}
