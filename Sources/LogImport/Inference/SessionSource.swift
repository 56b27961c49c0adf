// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import SessionLog

/// The session of a session log, with the views that it has or, where it has none, with inferred ones; of a large log it is
/// handed out a group of users at a time.
package struct SessionSource: Sendable {
    /// The header; of inferred views, with what was assumed.
    package let header: SessionHeader
    /// What really happened; `nil` where an app noted its views, which say what it showed and not what it loaded.
    package let usage: RecordedUsage?
    /// The lines of types that this version does not know.
    package private(set) var skippedLineCount = 0
    /// The lines that were cut off, as by a crash, and are passed over.
    package private(set) var cutOffLineCount = 0
    private let views: Views

    private enum Views: Sendable {
        case whole(SessionLog)
        /// Too many views to hold.
        case noted(ViewSpool, groupCount: Int, images: [SessionImage])
        case inferred(InferredSession)
    }

    /// The views that are held at a time.
    private static let viewCountOfGroup = 25_000
    private static let lineCountOfProgress = 50_000

    /// A session whose views are held.
    package init(_ session: SessionLog) {
        header = session.header
        usage = RecordedUsage(session.header.imported)
        skippedLineCount = session.skippedLineCount
        views = .whole(session)
    }

    /// A session whose views are inferred.
    package init(_ session: InferredSession) {
        (header, usage) = (session.header, session.usage)
        views = .inferred(session)
    }

    private init(_ header: SessionHeader, noted: ViewSpool, images: [SessionImage]) {
        self.header = header
        usage = RecordedUsage(header.imported)
        let groupCount = min(ViewSpool.bucketCount, 1 + noted.count / Self.viewCountOfGroup)
        views = .noted(noted, groupCount: groupCount, images: images)
    }

    /// Whether the views are inferred from requests.
    package var isInferred: Bool { if case .inferred = views { true } else { false } }

    /// Whether there are neither views nor requests that show any.
    package var isEmpty: Bool { if case .whole(let session) = views { session.views.isEmpty } else { false } }

    /// The number of groups of users.
    package var groupCount: Int {
        switch views {
        case .whole: 1
        case .noted(_, let count, _): count
        case .inferred(let session): session.groupCount
        }
    }

    /// The images of a third-party log.
    package var images: [SessionImage] {
        switch views {
        case .whole(let session): session.images
        case .inferred(let session): session.images
        case .noted(_, _, let images): images
        }
    }

    /// The users of a group, counted from 0.
    package func users(ofGroup number: Int) throws(SessionLogError) -> [UserViews] {
        if case .noted(let spool, let count, _) = views { return try spool.users(ofGroup: number, of: count) }
        return UserViews.users(of: try session(ofGroup: number).views)
    }

    /// The session of the users of a group, counted from 0.
    package func session(ofGroup number: Int) throws(SessionLogError) -> SessionLog {
        switch views {
        case .whole(let session): return session
        case .inferred(let session): return try session.session(ofGroup: number)
        case .noted(let spool, let count, let images):
            let views = try spool.users(ofGroup: number, of: count).flatMap(\.views)
            let sorted = views.sorted { $0.number < $1.number }.map(\.view)
            return SessionLog(header: header, views: sorted, images: images)
        }
    }

    /// The session of all users, whatever memory that takes.
    package func whole() throws(SessionLogError) -> SessionLog {
        if case .noted(let spool, _, let images) = views {
            let views = try spool.users(ofGroup: 0, of: 1).flatMap(\.views).sorted { $0.number < $1.number }
            return SessionLog(header: header, views: views.map(\.view), images: images)
        }
        let first = try session(ofGroup: 0)
        guard groupCount > 1 else { return first }
        var views = first.views
        for group in 1..<groupCount { views += try session(ofGroup: group).views }
        views.sort { $0.atMilliseconds < $1.atMilliseconds }
        return first.with(views: views)
    }
}

extension SessionSource {
    /// Reads a session log.
    ///
    /// - Parameters:
    ///   - path: The log.
    ///   - layouts: How images follow from documents, for a log without views; none to find it out.
    ///   - rules: The assumptions about such a log.
    ///   - onProgress: Called now and then with the number of lines read so far.
    /// - Throws: ``SessionLogError``, with the line that is wrong.
    package init(
        _ path: String,
        layouts: [ImageLayout] = [],
        rules: InferenceRules = InferenceRules(),
        onProgress: (Int) -> Void = { _ in }
    ) throws(SessionLogError) {
        let reader = try SessionLogReader(path)
        var activity = LoggedActivity()
        var search = LayoutSearch()
        var noted = SessionContents(of: reader.header, viewCountMax: Self.viewCountOfGroup)
        var spool = ViewSpool()
        var count = 0
        while let entry = try reader.next() {
            count += 1
            if count.isMultiple(of: Self.lineCountOfProgress) { onProgress(count) }
            noted.take(entry)
            if case .view(let view) = entry { try spool.append(view) }
            guard noted.viewCount == 0, let event = try activity.take(entry) else { continue }
            if layouts.isEmpty { search.take(event, in: activity) }
        }
        let inferred =
            noted.viewCount == 0
            ? try InferredSession(
                activity,
                header: reader.header,
                learned: search.layouts,
                stated: layouts,
                rules: rules
            ) : nil
        if let inferred {
            self.init(inferred)
        } else if noted.viewCount <= Self.viewCountOfGroup {
            self.init(noted.log(skippedLineCount: reader.skippedLineCount))
        } else {
            self.init(noted.header, noted: spool, images: noted.images)
        }
        (skippedLineCount, cutOffLineCount) = (reader.skippedLineCount, reader.cutOffLineCount)
    }
}
