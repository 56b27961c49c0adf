// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import SessionLog

/// Writes a session: users walk a feed one after the other, and make the requests that a tour of its pages made.
package struct SessionRecording {
    private static let blockCount = 1_000

    private let header: SessionHeader
    private let tour: FeedTour
    private let recorded: RecordedTour
    private let walkSeed: UInt64

    /// Creates a recording.
    ///
    /// - Parameters:
    ///   - header: The log's first line.
    ///   - tour: The pages of the feed.
    ///   - requests: The log that an emulator wrote of the tour; it is complete when the emulator has ended.
    ///   - walkSeed: What the users' choices are drawn from.
    /// - Throws: ``AuditError`` for a tour that was interrupted, `SessionLogError` for a log that cannot be read.
    package init(header: SessionHeader, tour: FeedTour, requests: String, walkSeed: UInt64) throws {
        (self.header, self.tour, self.walkSeed) = (header, tour, walkSeed)
        recorded = try RecordedTour(requests)
    }

    /// Writes the views and requests of this many users to a log.
    package func record(
        userCount: Int,
        to path: String,
        onProgress: (ReplayProgress) -> Void = { _ in }
    ) throws {
        let writer = try SessionLogWriter(path, header: header)
        defer { writer.close() }
        guard writer.header == header else { throw AuditError.otherSession(path) }
        var known = RecordedTour.Known()
        var (entries, start): ([SessionEntry], Int64) = ([], 0)
        for user in 0..<userCount {
            let walk = FeedWalk(of: tour, seed: walkSeed &+ UInt64(user + 1))
            for step in walk.steps {
                let at = start + step.atMilliseconds
                entries.append(.view(SessionView(atMilliseconds: at, client: "u\(user + 1)", action: step.action)))
                guard let page = step.page else { continue }
                let time = header.createdAt.microseconds + at * 1_000
                entries += try recorded.entries(of: page, user: user, at: time, known: &known)
                guard entries.count >= Self.blockCount else { continue }
                try writer.append(entries)
                entries.removeAll(keepingCapacity: true)
            }
            start += walk.endMilliseconds
            onProgress(ReplayProgress(subject: "\(userCount) users", done: user + 1, total: userCount))
        }
        try writer.append(entries)
    }
}
