// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient
import Metering
import SessionLog

/// The listeners and the local cache of one user's app: whether showing a list asks Firestore, and for how much.
///
/// Billing: firebase.google.com/docs/firestore/pricing, "Managing large result sets" and "Listening to query results", 2026-11.
struct SimulatedLists: Sendable {
    /// The page of a list: of the feed by the list's number, of a log by its key.
    enum Page: Hashable, Sendable {
        case feed(Int, Int)
        case recorded(String, Int)
    }

    /// The exchanges that showing a page takes.
    struct Answer {
        /// The answer that the list waits for.
        var awaited: ExchangeCost?
        /// The changes of a list that is shown from memory or disk.
        var changes: ExchangeCost?
    }

    private struct Heard {
        let time: Int64
        let launch: Int
    }

    /// A listener that was away for longer is billed as a new query.
    private static let resumableMicroseconds: Int64 = 30 * 60_000_000

    private let reading: Strategy.ListReading
    private var heard: [Page: Heard] = [:]
    private var launch = 0
    private var lastTime: Int64 = .min
    /// When the app was quit before it was started this time.
    private var leftAt: Int64 = .min

    init(_ reading: Strategy.ListReading) { self.reading = reading }

    /// Notes a step of the user; without one in between, the app is quit at the last one.
    mutating func stepped(at now: Int64) { lastTime = now }

    mutating func relaunched() {
        launch += 1
        leftAt = lastTime
    }

    /// Shows a page.
    ///
    /// - Parameters:
    ///   - page: The page.
    ///   - whole: The answer to its query.
    ///   - changes: The answer that brings only what has changed since the user's last one; `nil` where nothing has.
    ///   - now: Microseconds since 1970.
    /// - Returns: The exchanges that it takes.
    mutating func answer(
        _ page: Page,
        whole: ExchangeCost,
        changes: ExchangeCost?,
        at now: Int64
    ) -> Answer {
        if case .query = reading { return Answer(awaited: whole) }
        let last = heard[page]
        if case .persistence(let age?) = reading {
            if let last, now - last.time <= age.microseconds { return Answer() }
            heard[page] = Heard(time: now, launch: launch)
            return Answer(awaited: whole)
        }
        defer { heard[page] = Heard(time: now, launch: launch) }
        guard let last, isListening(since: last, at: now) else { return Answer(awaited: whole) }
        return Answer(changes: changes)
    }

    private func isListening(since last: Heard, at now: Int64) -> Bool {
        switch reading {
        case .query: false
        case .listen: last.launch == launch
        // A resume token of an earlier launch than the last is older still.
        case .persistence:
            last.launch == launch || last.launch == launch - 1 && now - leftAt <= Self.resumableMicroseconds
        }
    }
}

extension Duration {
    fileprivate var microseconds: Int64 {
        components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000
    }
}
