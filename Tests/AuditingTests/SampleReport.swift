// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering

@testable import Auditing
@testable import SessionLog

/// Outcomes made by hand, and the report on them.
enum SampleReport {
    static func outcome(
        _ strategy: Int,
        requests: Int64,
        body: Int64,
        reads: Int64 = 816,
        hits: Int64 = 0,
        misses: Int64 = 0,
        causes: CauseTally? = nil
    ) -> StrategyOutcome {
        let usage = UsageTotals(
            requests: requests,
            received: TransferredBytes(header: requests * 100, body: 0, wire: requests * 100),
            sent: TransferredBytes(header: requests * 400, body: body, wire: body + requests * 400),
            billed: BilledUsage(egressBytes: body, classA: 1, classB: misses, documentReads: reads)
        )
        var counts = ClientCounts()
        counts.requests = requests
        counts.bodyBytes = body
        counts.cacheHits = hits
        counts.cacheMisses = misses
        counts.cacheHitBytes = hits * 1_000
        counts.cacheMissBytes = misses * 3_000
        var billed = ServiceUsage()
        billed.add(BilledUsage(egressBytes: body, classA: 1, classB: misses), to: .storage)
        billed.add(BilledUsage(documentReads: reads), to: .firestore)
        return StrategyOutcome(
            strategy: Strategy.presets[strategy],
            usage: usage,
            billed: billed,
            counts: counts,
            simulated: causes.map { SimulatedFigures(causes: $0) }
        )
    }

    static func report(_ outcomes: [StrategyOutcome]) -> ReplayReport {
        ReplayReport(session: AuditedSession(session, from: "fixtures/session.log"), outcomes: outcomes)
    }

    /// Three views of two users.
    private static let session = SessionLog(
        header: SessionHeader(createdAt: LogTime(microseconds: 0)),
        views: ["u1", "u2", "u1"].map { client in
            SessionView(atMilliseconds: 0, client: client, action: .relaunch)
        },
        requestCount: 0,
        skippedLineCount: 0
    )

    /// Figures as large as those of the session that comes with the project.
    static let usual = report([
        outcome(0, requests: 2_680, body: 948_800_000, misses: 2_577),
        outcome(1, requests: 1_590, body: 546_900_000, hits: 1_090, misses: 1_488),
        outcome(4, requests: 524, body: 157_400_000, hits: 621, misses: 422),
    ])
}

extension AuditedSession {
    init(_ session: SessionLog, from log: String) {
        self.init(session.header, of: UserViews.users(of: session.views), from: log)
    }
}
