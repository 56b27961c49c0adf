// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import Metering
package import SessionLog

/// The session of a log that `emulator serve --record` wrote, whatever app made its requests: its views are inferred.
package struct RecordedSession: Sendable {
    /// The inferred views, and the images that they show.
    package let session: SessionLog
    /// All that was metered.
    package let usage: RecordedUsage

    /// Reads a log; one that has views of its own is left as it is.
    ///
    /// - Parameters:
    ///   - path: The log.
    ///   - layouts: How images follow from documents; none to find it out.
    ///   - rules: The assumptions.
    ///   - onProgress: Called now and then with the number of lines read so far.
    /// - Throws: ``SessionLogError``, with the line that is wrong.
    /// - Returns: The session, and what was metered where its views were inferred.
    package static func load(
        _ path: String,
        layouts: [ImageLayout] = [],
        rules: InferenceRules = InferenceRules(),
        onProgress: (Int) -> Void = { _ in }
    ) throws(SessionLogError) -> (session: SessionLog, usage: RecordedUsage?) {
        var activity: RecordedActivity? = RecordedActivity()
        var count = 0
        let log = try SessionLog.load(path) { entry in
            if case .view = entry { activity = nil }
            activity?.take(entry)
            count += 1
            if count.isMultiple(of: lineCountOfProgress) { onProgress(count) }
        }
        guard let activity, !activity.events.isEmpty else { return (log, nil) }
        let recorded = RecordedSession(activity, header: log.header, layouts: layouts, rules: rules)
        return (recorded.session, recorded.usage)
    }

    private static let lineCountOfProgress = 50_000

    private init(
        _ activity: RecordedActivity,
        header: SessionHeader,
        layouts: [ImageLayout],
        rules: InferenceRules
    ) {
        let events = activity.events.sorted { $0.time < $1.time }
        var activity = activity
        var owned = OwnedObjects(
            activity,
            layouts: layouts.isEmpty ? LayoutSearch(activity).layouts(in: events) : layouts,
            areStated: !layouts.isEmpty
        )
        if owned.layouts.isEmpty { owned = OwnedObjects(alone: activity.addPostsOfObjects()) }
        let habits = VisitHabits(activity, owned: owned, rules: rules, events: events)
        var views = RecordedViews(activity, owned: owned, habits: habits, rules: rules)
        var splitter = VisitSplitter(
            activity,
            owned: owned,
            rules: rules,
            listsLoadingAll: habits.listsLoadingAll
        )
        splitter.split(events) { views.add($0) }
        var header = header
        if let first = events.first { header.createdAt = LogTime(microseconds: first.time) }
        usage = RecordedUsage(activity, owned: owned)
        let assumed = RecordedAssumptions(owned, habits: habits, rules: rules)
        header.imported = SessionHeader.Imported(
            downloadCount: activity.objects.reduce(0) { $0 + $1.usage.requests },
            byteCount: activity.objects.reduce(0) { $0 + $1.usage.sent.body },
            assumptions: assumed.sentences,
            explained: usage.explained
        )
        session = SessionLog(header: header, views: views.inOrder, images: Self.images(activity, owned: owned))
    }

    private static func images(_ activity: RecordedActivity, owned: OwnedObjects) -> [SessionImage] {
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

/// The sums of a recorded log, and the part of them that no view explains.
package struct RecordedUsage: Sendable, Hashable {
    /// All that was metered.
    package private(set) var total: [UsageAttribution.Service: UsageTotals]
    /// What no list and no image of a document accounts for: it costs the same whatever the app does with images.
    package private(set) var other: [UsageAttribution.Service: UsageTotals]
    /// The billed reads, by query and cause; they add up to the total's.
    package let reads: RecordedReads

    init(_ activity: RecordedActivity, owned: OwnedObjects) {
        total = activity.usage
        other = activity.usage
        reads = activity.reads
        for list in activity.lists { other[.firestore] = (other[.firestore] ?? .zero) - list.usage }
        for (number, object) in activity.objects.enumerated() where !owned.owners[number].isEmpty {
            other[.storage] = (other[.storage] ?? .zero) - object.usage
        }
    }

    /// The shares that views explain; 100 of nothing.
    var explained: SessionHeader.Imported.Explained {
        SessionHeader.Imported.Explained(
            bytePercent: percent { $0.sent.body },
            readPercent: percent { $0.billed.documentReads }
        )
    }

    private func percent(_ amount: (UsageTotals) -> Int64) -> Double {
        let all = total.values.reduce(0) { $0 + amount($1) }
        let rest = other.values.reduce(0) { $0 + amount($1) }
        return all == 0 ? 100 : 100 * Double(all - rest) / Double(all)
    }
}
