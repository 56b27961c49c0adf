// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

public import Foundation
package import SessionLog

/// Writes a user's views to a session log, from which an audit can replay them.
///
/// A ``FeedSession`` and a ``FeedUpdates`` that are given one note their views by themselves; an app with screens of its own
/// tells it. The log may be shared with other apps and with the emulator. Recording never breaks the app: a view that cannot
/// be written is counted in ``failedViewCount``.
public final class ViewRecorder: Sendable {
    private let writer: SessionLogWriter
    private let client: String
    private let elapsed: @Sendable () -> Duration
    private let failures = Locked(0)

    /// Opens a session log, or creates it with the feed's address and page size in its header.
    ///
    /// `client` names the user in the log. `now` is the present: a log that is there already began earlier, and views
    /// are timed from its beginning. Throws an error that says what is wrong with the file.
    public convenience init(
        path: String,
        client: String,
        endpoint: FeedEndpoint,
        pageSize: Int,
        now: Date = Date(),
        clock: some Clock<Duration> = ContinuousClock()
    ) throws {
        let present = Timestamp(microseconds: Int64(now.timeIntervalSince1970 * 1_000_000))
        let feed = SessionHeader.Feed(
            project: endpoint.project,
            database: endpoint.database,
            collection: endpoint.collection,
            bucket: endpoint.bucket
        )
        let header = SessionHeader(createdAt: present, feed: feed, pageSize: pageSize)
        let writer = try SessionLogWriter(path, header: header)
        // A log from the future would give negative times; its author's clock is ahead of ours.
        let age = max(0, present.microseconds - writer.header.createdAt.microseconds)
        self.init(writer: writer, client: client, age: .microseconds(age), clock: clock)
    }

    /// Records to an open log that began `age` ago.
    package init(
        writer: SessionLogWriter,
        client: String,
        age: Duration = .zero,
        clock: some Clock<Duration> = ContinuousClock()
    ) {
        self.writer = writer
        self.client = client
        elapsed = Self.stopwatch(clock, age: age)
    }

    /// The views that could not be written, for instance because the disk is full.
    public var failedViewCount: Int { failures.withLock { $0 } }

    /// Notes that a section is shown: opened, or gone on with from a cursor.
    ///
    /// ``FeedUpdates`` does so by itself.
    public func recordShowing(_ section: FeedSection) {
        let listing = SessionView.Listing(
            sort: section.sort.logged,
            filter: section.filter?.logged,
            pageSize: notedPageSize(section.size)
        )
        record(section.cursor == nil ? .openFeed(listing, page: section.page) : .scroll(listing, page: section.page))
    }

    /// Notes that a post of a section is opened, which loads its other images.
    public func recordOpening(_ post: FeedPost) {
        record(.openPost(owner: post.ownerID, post: post.id))
    }

    /// Notes that the app was started anew, with nothing shown or in memory.
    public func recordRelaunch() { record(.relaunch) }

    /// The page size that a view has to tell: one that is not the log's.
    func notedPageSize(_ size: Int) -> Int? { size == writer.header.pageSize ? nil : size }

    func record(_ action: SessionView.Action) {
        let view = SessionView(atMilliseconds: elapsed().wholeMilliseconds, client: client, action: action)
        do {
            try writer.append(.view(view))
        } catch {
            failures.withLock { $0 += 1 }
        }
    }

    private static func stopwatch<C: Clock<Duration>>(_ clock: C, age: Duration) -> @Sendable () -> Duration {
        let start = clock.now
        return { age + start.duration(to: clock.now) }
    }
}

extension Duration {
    fileprivate var wholeMilliseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds * 1_000 + attoseconds / 1_000_000_000_000_000
    }
}
