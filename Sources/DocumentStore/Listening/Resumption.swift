// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FirestoreModel

/// A target that resumes where the client was.
struct Resumption {
    let since: Timestamp
    let answer: ResumeAnswer
    private let isByToken: Bool

    init(_ request: ListenTarget, since: Timestamp, isByToken: Bool) {
        self.since = since
        self.isByToken = isByToken
        self.answer = ResumeAnswer(isByToken: isByToken, expectedCount: request.expectedCount, since: since)
    }

    /// The changes, and the number of documents if it is needed.
    func read(
        _ subject: ResultSubject,
        in database: DatabaseID,
        from snapshot: ListenSnapshot
    ) throws -> (TargetReading, NameCount?) {
        // A token may come from before the data was replaced; a time is the client's own claim.
        guard isByToken || since <= snapshot.readTime else { throw FirestoreError.readTimeInFuture }
        let reading = try snapshot.changes(of: subject, in: database, since: since)
        guard !reading.isReset, answer.hasFilter || answer.isBilledInFull(at: snapshot.readTime) else {
            return (reading, nil)
        }
        switch subject {
        case .query(let query):
            return (reading, try snapshot.nameCount(of: query, collectsNames: answer.wantsNames))
        case .documents(let paths):
            return (reading, NameCount(of: paths))
        }
    }

    /// The message that lets the client check what it kept; documents by name need none.
    func filter(_ count: NameCount?, of target: Int32) -> ListenEvent? {
        guard let count, answer.hasFilter, count.isOfQuery else { return nil }
        return .existenceFilter(target, count: count.count, unchangedNames: count.filter)
    }
}

/// The messages to a resumed target beyond the changes.
struct ResumeAnswer {
    /// After this a listener's return costs as much as a new query.
    ///
    /// Source: Firestore pricing, firebase.google.com/docs/firestore/pricing (2026-11).
    static let cheapPeriodMicroseconds: Int64 = 30 * 60 * 1_000_000

    private let isByToken: Bool
    private let expectedCount: Int
    private let since: Timestamp

    init(isByToken: Bool, expectedCount: Int?, since: Timestamp) {
        self.isByToken = isByToken
        self.expectedCount = expectedCount ?? 0
        self.since = since
    }

    /// Production mostly sends one to a query resumed by token, and none by time (recorded 2026-10).
    var hasFilter: Bool { isByToken || wantsNames }

    /// Filters name the documents only for clients that said how many they have (recorded 2026-10).
    var wantsNames: Bool { expectedCount > 0 }

    /// Whether the whole result is billed rather than the changes.
    func isBilledInFull(at readTime: Timestamp) -> Bool {
        readTime.microseconds - since.microseconds > Self.cheapPeriodMicroseconds
    }
}
