// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering

/// Seeded random records that lack fields now and then (SplitMix64).
struct RecordGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func records(_ count: Int) -> [UsageRecord] {
        (0..<count).map { _ in record() }
    }

    mutating func record() -> UsageRecord {
        UsageRecord(
            startMicroseconds: number(below: 1 << 50),
            durationMicroseconds: number(below: 1 << 20),
            method: ["GET", "POST", ""][Int(number(below: 3))],
            status: Int(number(below: 600)),
            outcome: UsageRecord.Outcome.allCases[Int(number(below: 3))],
            attribution: attribution(),
            received: bytes(),
            sent: bytes(),
            billed: BilledUsage(
                egressBytes: number(below: 1 << 30),
                classA: number(below: 2),
                classB: number(below: 2),
                documentReads: number(below: 100),
                documentWrites: number(below: 3),
                documentDeletes: number(below: 3)
            )
        )
    }

    private mutating func attribution() -> UsageAttribution {
        let service = UsageAttribution.Service.allCases[Int(number(below: 2))]
        var attribution = UsageAttribution(service: service, operation: "operation\(number(below: 5))")
        attribution.bucket = text("bucket")
        // Letters that are equal as strings and different as bytes, and a NUL.
        attribution.object = ["\u{e9}/a/0", "e\u{301}/a/0", "o/f\0/1", "o/f/1", "", nil][Int(number(below: 6))]
        attribution.image = attribution.object.flatMap { FeedImagePath(objectName: $0) }
        attribution.database = text("database")
        attribution.collection = text("collection")
        attribution.queryShape = text("query")
        attribution.client = text("client")
        attribution.user = text("user")
        return attribution
    }

    private mutating func text(_ stem: String) -> String? {
        let choice = number(below: 8)
        return choice < 6 ? "\(stem)\(choice)" : choice == 6 ? "" : nil
    }

    private mutating func bytes() -> TransferredBytes {
        let header = number(below: 1_000)
        let body = number(below: 1 << 24)
        return TransferredBytes(header: header, body: body, wire: header + body)
    }

    private mutating func number(below bound: UInt64) -> Int64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return Int64((mixed ^ (mixed >> 31)) % bound)
    }
}

extension UsageTotals {
    /// The sum that every query must find.
    init(of records: some Sequence<UsageRecord>) {
        self = .zero
        for record in records {
            add(record)
        }
    }

    static func + (left: Self, right: Self) -> Self {
        Self(
            requests: left.requests + right.requests,
            received: left.received + right.received,
            sent: left.sent + right.sent,
            billed: left.billed + right.billed
        )
    }
}

extension UsageAttribution {
    /// The key of each dimension, told independently of the ledger.
    func key(_ dimension: String) -> String {
        switch dimension {
        case "object": object ?? ""
        case "feed": image.map { "\($0.owner)/\($0.feed)" } ?? ""
        case "user": user ?? ""
        case "client": client ?? ""
        case "operation": operation
        case "query": queryShape ?? ""
        default: "no such dimension"
        }
    }
}
