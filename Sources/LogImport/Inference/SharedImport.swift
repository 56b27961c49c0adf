// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering
package import SessionLog

/// Infers the session of a log that is too large for one process, some users at a time.
package struct SharedImport {
    /// The session of all users, but for the views.
    package struct Session {
        /// The header, with what was assumed.
        package let header: SessionHeader
        /// The images that the views show.
        package let images: [SessionImage]
    }

    private let part: ImportPart
    private let rules: InferenceRules
    private let layouts: [ImageLayout]
    /// The names, and no request.
    private let names: LoggedActivity
    private let numbers: [UInt64: Int]

    /// Begins with the sum of all parts, as far as they are known.
    package init(_ part: ImportPart, layouts: [ImageLayout], rules: InferenceRules, sizes: ObjectListing?) {
        (self.part, self.layouts, self.rules) = (part, layouts, rules)
        var names = LoggedActivity()
        for object in part.objects {
            names.noteSize(of: names.number(of: object.name, in: object.bucket), object.byteCount)
        }
        for caller in part.callers { _ = names.number(ofCaller: caller.hash) }
        if let start = part.start { names.noteStart(start) }
        if let sizes { names.noteSizes(sizes) }
        self.names = names
        numbers = Dictionary(
            names.objects.enumerated().map { ($0.element.hash, $0.offset) },
            uniquingKeysWith: { first, _ in first }
        )
    }

    /// Counts the requests of some users, which ``SharedLog`` shared out; `-` is standard input.
    ///
    /// The requests of a user follow each other as in the log.
    package func counts(of requests: [String]) throws -> ImportPart {
        var activity = try self.activity(of: requests)
        let owned = OwnedObjects(in: &activity, learned: [], stated: layouts)
        let events = try UserEvents(activity, users: LoggedUsers(activity), owned: owned)
        var part = ImportPart()
        part.passedOver = activity.passedOver
        part.counts = ImportPart.Counts(
            eventCount: Int64(activity.events.count),
            usage: activity.usage,
            downloads: activity.downloadUsage,
            owned: owned.usage(in: activity),
            habits: try HabitCounts(events, owned: owned, rules: rules)
        )
        return part
    }

    /// Infers the views of some users when all are counted, and hands out their lines, to be sorted, as ``KeyedViews`` has them.
    package func views(of requests: [String], _ write: ([UInt8]) throws -> Void) throws -> ImportPart {
        var activity = try self.activity(of: requests)
        let owned = OwnedObjects(in: &activity, learned: [], stated: layouts)
        let users = LoggedUsers(activity)
        let inference = ViewInference(
            activity,
            users: users,
            owned: owned,
            events: try UserEvents(activity, users: users, owned: owned),
            habits: VisitHabits(part.counts.habits),
            rules: rules
        )
        var tally = DownloadTally(activity)
        var part = ImportPart()
        let groupCount = UserEvents.groupCount(ofEvents: Int(self.part.counts.eventCount))
        for group in 0..<inference.groupCount {
            var found: [InferredViews] = []
            try inference.read(group: group) { visits, inferred in
                tally.add(visits, opened: inferred.opened)
                if !inferred.views.isEmpty { found.append(inferred) }
            }
            for inferred in found {
                try write(KeyedViews.lines(of: inferred, groupCount: groupCount))
                part.views.viewCount += Int64(inferred.views.count)
            }
            part.views.userCount += Int64(found.count)
        }
        part.views.downloads = tally.numbers
        return part
    }

    /// The session of all users when their views are inferred; `nil` when no image was downloaded.
    package func session() throws -> Session? {
        guard let start = names.start else { return nil }
        var activity = names
        let owned = OwnedObjects(in: &activity, learned: [], stated: layouts)
        var tally = DownloadTally(activity)
        guard tally.add(part.views.downloads) else {
            throw LogImportError(path: "the part", line: nil, problem: "has sums of objects that it does not have")
        }
        let usage = RecordedUsage(
            total: part.counts.usage,
            owned: part.counts.owned,
            reads: RecordedReads([]),
            downloads: RecordedDownloads(tally)
        )
        let assumptions = Assumptions(
            activity,
            users: LoggedUsers(activity),
            owned: owned,
            habits: VisitHabits(part.counts.habits),
            rules: rules
        )
        let header = SessionHeader(createdAt: LogTime(microseconds: start))
            .imported(startedAt: start, downloads: part.counts.downloads, assumptions: assumptions, usage: usage)
        return Session(header: header, images: owned.images(of: activity))
    }

    private func activity(of requests: [String]) throws -> LoggedActivity {
        var records = RecordClasses(
            wordCount: SharedRequest.wordCount,
            expected: "'firemeter audit import-part read' wrote"
        )
        for path in requests { try records.take(path) }
        var activity = names
        for number in 0..<RecordFile.classCount {
            var ids: Set<UInt64> = []
            try records.forEach(ofClass: number) { words in
                let request = SharedRequest(words)
                if let id = request.id, !ids.insert(id).inserted { return activity.takeDuplicate() }
                let object = request.object == 0 ? nil : numbers[request.object]
                guard let logged = request.logged, request.object == 0 || object != nil,
                    object == nil || activity.callerNumbers[request.caller] != nil
                else {
                    let problem = "have names that the part does not have"
                    throw LogImportError(path: "the requests", line: nil, problem: problem)
                }
                try activity.take(logged, object: object)
            }
        }
        return activity
    }
}
