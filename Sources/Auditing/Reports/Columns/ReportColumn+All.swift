// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering
import SessionLog

extension ReportColumn {
    /// Every figure of a strategy; to add one, add it here and to the table that shows it.
    static let all: [ReportColumn] =
        [requests, body, wire]
        + [egress, classA, classB, documentReads, documentWrites, documentDeletes]
        + [hits, misses, hitRatio, byteHitRatio]
        + times + [dailyUsers, month, monthOfThousand, userDay]
        + [dailyQuota] + BillableItem.allCases.filter(\.isInSessions).flatMap { [quota(of: $0), quotaEnd(of: $0)] }
        + causes.map(\.column) + [other, wasted, remedy, ratioToBaseline]
        + SessionView.Kind.allCases.flatMap(columns(ofViews:))

    // MARK: Traffic

    static let requests = Self("requests", title: "requests", .count) { outcome, _ in .whole(outcome.usage.requests) }

    static let body = Self("bytes", "body", title: "downloaded", .bytes, short: "bytes") { outcome, _ in
        .whole(outcome.usage.sent.body)
    }

    static let wire = Self("bytes", "wire", title: "wire", .bytes, short: "wire") { outcome, _ in
        .whole(outcome.wireBytes)
    }

    static let ratioToBaseline = Self("ratioToBaseline", title: "bytes saved", .ratio) { outcome, report in
        report.ratioToBaseline(outcome).map { .real($0) }
    }
    .shown(inBaseline: "baseline") { outcome, report in report.ratioToBaseline(outcome).map(ReplayReport.saving) }

    // MARK: Billed usage

    static let egress = billed("egressBytes", "egress", .bytes, short: nil, \.egressBytes)
    static let classA = billed("classA", "class A", .count, short: "class_a", \.classA)
    static let classB = billed("classB", "class B", .count, short: "class_b", \.classB)
    static let documentReads = billed("documentReads", "doc reads", .count, short: "doc_reads", \.documentReads)
    static let documentWrites = billed("documentWrites", "doc writes", .count, short: nil, \.documentWrites)
    static let documentDeletes = billed("documentDeletes", "doc deletes", .count, short: nil, \.documentDeletes)

    private static func billed(
        _ key: String,
        _ title: String,
        _ unit: Unit,
        short: String?,
        _ amount: @escaping @Sendable (BilledUsage) -> Int64
    ) -> Self {
        Self("billed", key, title: title, unit, short: short) { outcome, _ in .whole(amount(outcome.usage.billed)) }
    }

    /// Operations of both classes; tables show the sum, and the JSON its parts.
    static let operations = Self("operations", title: "operations", .count) { outcome, _ in
        .whole(outcome.usage.billed.classA + outcome.usage.billed.classB)
    }

    // MARK: Caches

    static let hits = Self("cache", "hits", title: "cache hits", .count) { outcome, _ in
        .whole(outcome.counts.cacheHits)
    }
    .shown { outcome, _ in
        guard !outcome.isRecorded else { return nil }
        let counts = outcome.counts
        return "\(Figure.count(counts.cacheHits)) of \(Figure.count(counts.cacheHits + counts.cacheMisses))"
    }

    static let misses = Self("cache", "misses", title: "cache misses", .count) { outcome, _ in
        .whole(outcome.counts.cacheMisses)
    }

    static let hitRatio = Self("cache", "hitRatio", title: "hit ratio", .ratio) { outcome, _ in
        .real(outcome.hitRatio)
    }

    static let byteHitRatio = Self("cache", "byteHitRatio", title: "byte hit ratio", .ratio) { outcome, _ in
        .real(outcome.byteHitRatio)
    }
}
