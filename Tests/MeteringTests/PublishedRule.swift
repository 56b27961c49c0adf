// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering
import Testing

/// A published price rule, or our reading of one, as an example.
struct PublishedRule: Sendable, CustomTestStringConvertible {
    let source: String
    let rule: BillingRule
    let status: Int
    let sentBodyBytes: Int64
    let billed: BilledUsage

    var testDescription: String { source }

    static let all: [Self] = transfer + operations + documents

    private static let prices = "Cloud Storage pricing, 2026-05-16"

    private static let transfer = [
        Self(
            source: "\(prices): transfer is charged on bytes actually sent (8 of 100 MB)",
            rule: .storage(.classB),
            status: 200,
            sentBodyBytes: 8_000_000,
            billed: BilledUsage(egressBytes: 8_000_000, classB: 1)
        ),
        Self(
            source: "\(prices): transfer is charged on bytes actually sent (a range)",
            rule: .storage(.classB),
            status: 206,
            sentBodyBytes: 1_000,
            billed: BilledUsage(egressBytes: 1_000, classB: 1)
        ),
    ]

    private static let operations = [
        Self(
            source: "\(prices): insert is Class A",
            rule: .storage(.classA),
            status: 200,
            sentBodyBytes: 500,
            billed: BilledUsage(egressBytes: 500, classA: 1)
        ),
        Self(
            source: "\(prices): delete is free",
            rule: .storage(.free),
            status: 204,
            sentBodyBytes: 0,
            billed: .zero
        ),
        Self(
            source: "\(prices): 304 is not among the free statuses (inference)",
            rule: .storage(.classB),
            status: 304,
            sentBodyBytes: 0,
            billed: BilledUsage(classB: 1)
        ),
        uncharged(307), uncharged(400), uncharged(403), uncharged(404), uncharged(412), uncharged(416),
        uncharged(499), uncharged(500), uncharged(503),
        Self(
            source: "No response began",
            rule: .storage(.classB),
            status: 0,
            sentBodyBytes: 0,
            billed: .zero
        ),
        Self(source: "What no rule names is free", rule: .free, status: 200, sentBodyBytes: 9, billed: .zero),
    ]

    private static func uncharged(_ status: Int) -> Self {
        Self(
            source: "\(prices): 307, 4xx, 5xx are generally not charged as operations (\(status))",
            rule: .storage(.classB),
            status: status,
            sentBodyBytes: 300,
            billed: .zero
        )
    }

    private static let documents = [
        Self(
            source: "Firestore pricing, 2026-11: one read for each document returned",
            rule: .firestore(BilledUsage(documentReads: 8)),
            status: 200,
            sentBodyBytes: 9_588,
            billed: BilledUsage(egressBytes: 9_588, documentReads: 8)
        ),
        Self(
            source: "Firestore pricing, 2026-11: a get of a missing document is a read",
            rule: .firestore(BilledUsage(documentReads: 1)),
            status: 404,
            sentBodyBytes: 120,
            billed: BilledUsage(documentReads: 1)
        ),
        Self(
            source: "Firestore pricing, 2026-11: writes and deletes are counted apart",
            rule: .firestore(BilledUsage(documentWrites: 2, documentDeletes: 1)),
            status: 200,
            sentBodyBytes: 40,
            billed: BilledUsage(egressBytes: 40, documentWrites: 2, documentDeletes: 1)
        ),
        Self(
            source: "Firestore pricing, 2026-11: transfer is the size of the response, whatever the call noted",
            rule: .firestore(BilledUsage(egressBytes: 77)),
            status: 200,
            sentBodyBytes: 5,
            billed: BilledUsage(egressBytes: 5)
        ),
    ]
}
