// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel
import NIOConcurrencyHelpers

/// Changes of a live result that follow each other, shared by all who take the same ones.
final class ResultSpan: Sendable {
    static let empty = ResultSpan([])

    /// The changes as one target's stream is sent them.
    struct News: Sendable {
        let target: Int32
        let time: Timestamp
        /// Ends with a snapshot.
        let events: CommonEvents
        /// The reads to bill.
        let billedCount: Int
    }

    let deltas: [ResultDelta]
    private let lastNews = NIOLockedValueBox<News?>(nil)

    init(_ deltas: [ResultDelta]) { self.deltas = deltas }

    /// Whether the live result was emptied.
    var isReset: Bool { deltas.contains(where: \.isReset) }

    /// The news for a stream that has no others up to a time: the same for all that listen by the same id.
    func news(
        for target: Int32,
        mask: DocumentMask?,
        through time: Timestamp,
        snapshot: @autoclosure () -> ListenEvent
    ) -> News {
        lastNews.withLockedValue { last in
            if let last, last.target == target, last.time == time { return last }
            var changes = StreamChanges()
            for delta in deltas { changes.add(delta, to: target, mask: mask) }
            let events = changes.events(readTime: time)
            let news = News(
                target: target,
                time: time,
                events: CommonEvents(events.map(\.event) + [snapshot()]),
                billedCount: events.reduce(0) { $0 + $1.billedTargets.count }
            )
            last = news
            return news
        }
    }
}
