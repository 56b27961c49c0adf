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
        let owned = OwnedObjects(in: &activity, learned: learned, stated: stated)
        let users = LoggedUsers(activity)
        let events = try UserEvents(activity, users: users, owned: owned)
        let habits = try VisitHabits(events, owned: owned, rules: rules)
        activity.nameLists(by: habits.tags)
        let reads = try RecordedReads(
            events,
            names: activity.queries,
            storageRuleReads: activity.usage[.storage]?.billed.ruleReads ?? 0
        )
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
        let assumptions = Assumptions(activity, users: users, owned: owned, habits: habits, rules: rules)
        self.header = (header ?? SessionHeader(createdAt: LogTime(microseconds: start)))
            .imported(startedAt: start, downloads: activity.downloadUsage, assumptions: assumptions, usage: usage)
        images = owned.images(of: activity)
        requestCount = Int(usage.total.values.reduce(0) { $0 + $1.requests })
    }

    /// The number of groups of users.
    package var groupCount: Int { groups.count }

    /// The session of the users of a group, counted from 0: its views in the order of their times.
    package func session(ofGroup number: Int) throws(SessionLogError) -> SessionLog {
        let views = try groups.views(ofGroup: number)
        return SessionLog(header: header, views: views, images: images, requestCount: requestCount)
    }
}

extension SessionHeader {
    /// The header of a session that was inferred.
    func imported(
        startedAt start: Int64,
        downloads: UsageTotals,
        assumptions: Assumptions,
        usage: RecordedUsage
    ) -> SessionHeader {
        var header = self
        header.createdAt = LogTime(microseconds: start)
        header.imported = Imported(
            downloadCount: downloads.requests,
            byteCount: downloads.sent.body,
            assumptions: assumptions.sentences,
            explained: usage.explained,
            usage: usage.kept
        )
        return header
    }
}

extension OwnedObjects {
    /// The images of a session, a line for each document that an object belongs to.
    func images(of activity: LoggedActivity) -> [SessionImage] {
        activity.objects.indices.flatMap { number in
            let object = activity.objects[number]
            return owners[number].map { owner in
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
