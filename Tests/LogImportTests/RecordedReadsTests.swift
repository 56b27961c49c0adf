// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering
import SessionLog
import Testing

@testable import LogImport

struct RecordedReadsTests {
    /// The reads in words: `posts 5 of 2: first 2, unchanged 3`.
    private func lines(_ log: RecordedLog) throws -> [String] {
        let usage = try #require(try log.session().usage)
        #expect(usage.reads.total == usage.total.values.reduce(0) { $0 + $1.billed.documentReads })
        return usage.reads.queries.map { query in
            let causes = ReadCause.allCases.compactMap { cause in query.causes[cause].map { "\(cause) \($0)" } }
            return "\(query.name) \(query.total) of \(query.documentCount): \(causes.joined(separator: ", "))"
        }
    }

    @Test func `a document is read for the first time, unchanged or changed, by each user for themselves`() throws {
        var log = RecordedSessionTests.twoPosts(by: "ann")
        log.list("posts", ["posts/alpha", "posts/beta"], by: "vic", at: 1)
        log.list("posts", ["posts/alpha", "posts/beta"], by: "ann", at: 2)
        log.document("posts/beta", updatedAt: 2)
        log.list("posts", ["posts/alpha", "posts/beta"], by: "ann", at: 3)
        log.read("posts/beta", by: "ann", at: 4)
        #expect(
            try lines(log) == [
                "posts 8 of 2: first 4, unchanged 3, changed 1", "firestore.getDocument 1 of 1: unchanged 1",
            ]
        )
    }

    @Test func `what brings no document has causes of its own`() throws {
        var log = RecordedLog()
        log.list("empty", [], by: "ann", at: 0)
        log.reads("count", 3, by: "ann", at: 1) { $0.isAggregation = true }
        log.reads("get", 2, by: "ann", at: 2) { $0.missingCount = 2 }
        log.reads("left", 1, by: "ann", at: 3) { $0.isChange = true }
        log.reads("call", 5, by: "ann", at: 4) { $0.missingCount = 1 }
        #expect(
            try lines(log) == [
                "call 5 of 0: missing 1, other 4", "count 3 of 0: index 3", "get 2 of 0: missing 2",
                "empty 1 of 0: empty 1", "left 1 of 0: changed 1",
            ]
        )
    }

    @Test func `documents that Security Rules looked at are a cause of reads`() throws {
        var log = RecordedSessionTests.twoPosts()
        log.reads("list", 4, by: "ann", at: 1, ofRules: 3) { $0.missingCount = 1 }
        log.reads("commit", 2, by: "ann", at: 2, ofRules: 2) { _ in }
        log.download("a.jpg", by: "ann", at: 3) {
            $0.billed.documentReads = 1
            $0.billed.ruleReads = 1
        }
        #expect(
            try lines(log) == [
                "list 4 of 0: missing 1, rules 3", "commit 2 of 0: rules 2", "posts 2 of 2: first 2",
                "files of Storage 1 of 0: rules 1",
            ]
        )
    }

    @Test func `a request that was taken back counts once`() throws {
        var log = RecordedSessionTests.twoPosts()
        log.amendLast(sent: 10)
        #expect(try lines(log) == ["posts 2 of 2: first 2"])
    }

    @Test func `a list tells what changed since the user's last answer, and how far images were shown`() throws {
        var log = RecordedSessionTests.twoPosts()
        log.download("posts/alpha/0.jpg", by: "ann", at: 0.1)
        log.document("posts/alpha", updatedAt: 2)
        for second in [10.0, 20] { log.list("posts", ["posts/alpha", "posts/beta"], by: "ann", at: second) }
        let lists = try log.session().session.views.compactMap { view -> SessionView.List? in
            guard case .showPosts(let shown) = view.action else { return nil }
            return shown.list
        }
        #expect(lists.map(\.changes) == [nil, 1, 0])
        #expect(lists.map(\.depth) == [1, 1, 1])
    }
}
