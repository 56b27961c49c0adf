// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient
import Metering
import SessionLog
import Testing

@testable import Auditing

struct SimulatedListsTests {
    private static let minute: Int64 = 60_000_000

    /// Shows a page of ten documents, of which two have changed each time, at minutes; `relaunch` in between.
    ///
    /// Returns the billed reads of each showing: `10` awaited, `+2` heard of, `-` nothing.
    private func reads(_ reading: Strategy.ListReading, at minutes: [Int64], relaunchBefore: Int? = nil) -> [String] {
        var lists = SimulatedLists(reading)
        return minutes.enumerated().map { index, minute in
            if index == relaunchBefore { lists.relaunched() }
            let now = minute * Self.minute
            let answer = lists.answer(.recorded("l", 0), whole: exchange(10), changes: exchange(2), at: now)
            lists.stepped(at: now)
            if let awaited = answer.awaited { return "\(awaited.usage.billed.documentReads)" }
            return answer.changes.map { "+\($0.usage.billed.documentReads)" } ?? "-"
        }
    }

    private func exchange(_ documentReads: Int64) -> ExchangeCost {
        let list = SessionView.List(name: "l", page: 0, byteCount: 100, documentReads: documentReads)
        return ExchangeCost(FeedCatalog.Exchange(list))
    }

    @Test(
        arguments: [
            (.query, nil, ["10", "10", "10", "10"]),
            (.listen, nil, ["10", "+2", "+2", "+2"]),
            (.listen, 2, ["10", "+2", "10", "+2"]),
            (.persistence(ageMax: nil), 2, ["10", "+2", "+2", "+2"]),
            (.persistence(ageMax: nil), 3, ["10", "+2", "+2", "10"]),
            (.persistence(ageMax: .seconds(1_500)), 2, ["10", "-", "10", "10"]),
        ] as [(Strategy.ListReading, Int?, [String])]
    )
    func `a list that is shown at 0, 1, 29 and 61 minutes`(
        reading: Strategy.ListReading,
        relaunchBefore: Int?,
        expected: [String]
    ) {
        #expect(reads(reading, at: [0, 1, 29, 61], relaunchBefore: relaunchBefore) == expected)
    }

    @Test(arguments: ["all-images", "all-images+listen", "all-images+persistence", "all-images+persistence:1h+page:1"])
    func `a listing of objects is asked for each time, for a Class A operation and no reads`(name: String) async throws
    {
        let list = SessionView.List(
            name: "objects of b",
            page: 0,
            byteCount: 700,
            documentReads: 0,
            isOfObjects: true,
            key: "0"
        )
        let views = (0..<3).map { second in
            SessionView(
                atMilliseconds: second * 1_000,
                client: "ann",
                action: .showPosts(SessionView.ShownPosts([], list: list))
            )
        }
        let log = SessionLog(header: SessionHeader(createdAt: LogTime(microseconds: 0)), views: views)
        let outcome = try await FeedSimulation(log: log, answeredBy: nil).result(of: Strategy(name)).outcome
        #expect(outcome.usage.requests == 3)
        #expect(outcome.usage.billed == BilledUsage(egressBytes: 2_100, classA: 3))
        #expect(outcome.billed.amount(of: .storageClassA) == 3)
        #expect(outcome.billed.amount(of: .storageEgressBytes) == 2_100)
    }

    @Test func `documents on disk are of the launch before, not of an earlier one`() {
        var lists = SimulatedLists(.persistence(ageMax: nil))
        _ = lists.answer(.recorded("l", 0), whole: exchange(10), changes: nil, at: 0)
        lists.stepped(at: 0)
        lists.relaunched()
        lists.relaunched()
        #expect(lists.answer(.recorded("l", 0), whole: exchange(10), changes: nil, at: 1).awaited != nil)
    }
}
