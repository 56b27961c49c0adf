// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

public import Foundation
package import SessionLog

/// Writes a user's views to a session log, from which an audit can replay them.
///
/// Give one to a ``FeedSession``, and it notes every view. ``FeedUpdates`` notes the sections that it shows; its app must call
/// ``recordOpening(_:)`` and ``recordRelaunch()``, or an audit finds too little. An app with screens of its own must call all
/// three. A call writes to the file once, on the caller's thread.
///
/// The log may be shared with other apps and with the emulator. Recording never breaks the app: a view that cannot
/// be written is counted in ``failedViewCount``.
public final class ViewRecorder: Sendable {
    private let writer: SessionLogWriter
    private let client: String
    private let elapsed: @Sendable () -> Duration
    private let failures = Locked(0)
    /// The posts opened since the app was started.
    private let open = Locked<Set<SessionView.Listing>>([])

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
        let present = LogTime(microseconds: Int64(now.timeIntervalSince1970 * 1_000_000))
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

    /// Notes that sections are shown: opened, or continued from a cursor.
    ///
    /// ``FeedUpdates`` does so by itself. A section that continues although nothing before it was noted is noted as opened at its
    /// page.
    ///
    /// Sections of other orders, filters or collections than those of ``FeedPost`` are in no log; they count as
    /// ``failedViewCount``. An app with such records its requests instead: `firemeter serve --record`.
    public func recordShowing(_ sections: [FeedSection]) {
        let listed = sections.compactMap { section in
            section.query.logged(pageSize: section.size).map { (section, $0) }
        }
        if listed.count < sections.count { failures.withLock { $0 += sections.count - listed.count } }
        record { open in
            listed.map { section, listing in
                let goesOn = section.cursor != nil && open.contains(listing)
                return goesOn ? .scroll(listing, page: section.page) : .openFeed(listing, page: section.page)
            }
        }
    }

    /// Notes that a post is opened, which loads its other images.
    ///
    /// An audit finds the post among those of the sections that were noted since the last relaunch, and refuses a log in
    /// which it is not: note the section first.
    public func recordOpening(_ post: FeedPost) {
        record(.openPost(owner: post.ownerID, post: post.id))
    }

    /// Notes that the app was restarted, with nothing shown or in memory.
    public func recordRelaunch() { record(.relaunch) }

    func record(_ action: SessionView.Action) { record { _ in [action] } }

    /// Writes steps that depend on what is open; what could not be written has not happened for those that follow.
    private func record(_ makeActions: (Set<SessionView.Listing>) -> [SessionView.Action]) {
        let time = elapsed().wholeMilliseconds
        open.withLock { open in
            let actions = makeActions(open)
            let views = actions.map { SessionView(atMilliseconds: time, client: client, action: logged($0)) }
            do {
                try writer.append(views.map { .view($0) })
                for action in actions { Self.note(action, in: &open) }
            } catch {
                failures.withLock { $0 += views.count }
            }
        }
    }

    private static func note(_ action: SessionView.Action, in open: inout Set<SessionView.Listing>) {
        switch action {
        case .openFeed(let listing, _), .scroll(let listing, _), .switchTab(let listing): open.insert(listing)
        case .relaunch: open.removeAll()
        case .openPost, .showPosts: break
        }
    }

    /// The step without a page size that is the log's.
    private func logged(_ action: SessionView.Action) -> SessionView.Action {
        func logged(_ listing: SessionView.Listing) -> SessionView.Listing {
            var listing = listing
            if listing.pageSize == writer.header.pageSize { listing.pageSize = nil }
            return listing
        }
        switch action {
        case .openFeed(let listing, let page): return .openFeed(logged(listing), page: page)
        case .scroll(let listing, let page): return .scroll(logged(listing), page: page)
        case .switchTab(let listing): return .switchTab(logged(listing))
        case .openPost, .relaunch, .showPosts: return action
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
