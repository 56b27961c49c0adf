// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import MeterLedger
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
            startMicroseconds: 1_700_000_000_000_000 + number(below: 1 << 29),
            durationMicroseconds: number(below: 1 << 20),
            method: ["GET", "POST", ""][Int(number(below: 3))],
            status: [0, 200, 206, 304, 404][Int(number(below: 5))],
            outcome: UsageRecord.Outcome.allCases[Int(number(below: 3))],
            abortCause: [nil, .clientClosed, .serverCancelled][Int(number(below: 3))],
            attribution: attribution(),
            received: bytes(),
            sent: bytes(),
            billed: BilledUsage(
                egressBytes: number(below: 1 << 30),
                classA: number(below: 2),
                classB: number(below: 2),
                documentReads: number(below: 100),
                documentWrites: number(below: 3),
                documentDeletes: number(below: 3),
                ruleReads: number(below: 3),
                tier1ActiveUsers: number(below: 3),
                tier2ActiveUsers: number(below: 3),
                smsMessages: number(below: 3)
            )
        )
    }

    private mutating func attribution() -> UsageAttribution {
        let operations = ["storage.objects.get", "storage.objects.list", ""]
        let service = UsageAttribution.Service.allCases[Int(number(below: 2))]
        var attribution = UsageAttribution(service: service, operation: operations[Int(number(below: 3))])
        attribution.bucket = text("bucket")
        // Letters that are equal as strings and different as bytes, and a NUL.
        attribution.object =
            [
                "\u{e9}/a/0", "e\u{301}/a/0", "o/f\0/1", "o/f/1", "o/f/0_10x20.jpg", "", nil,
            ][Int(number(below: 7))]
        attribution.image = attribution.object.flatMap { FeedImagePath(objectName: $0) }
        attribution.database = text("database")
        attribution.collection = text("collection")
        attribution.queryShape = text("query")
        attribution.client = text("client")
        attribution.user = text("user")
        attribution.tag = number(below: 2) == 0 ? nil : text("tag")
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

extension UsageRecord {
    func key(_ dimension: UsageDimension) -> String { content.key(dimension) }
}

extension UsageRecord.Content {
    /// The key of each dimension, computed independently of the ledger.
    fileprivate func key(_ dimension: UsageDimension) -> String {
        switch dimension {
        case .object: attribution.object ?? ""
        case .feed: attribution.image.map { "\($0.owner)/\($0.feed)" } ?? ""
        case .user: attribution.user ?? ""
        case .client: attribution.client ?? ""
        case .operation: attribution.operation
        case .query: attribution.queryShape ?? ""
        case .service: attribution.service.rawValue
        case .bucket: attribution.bucket ?? ""
        case .database: attribution.database ?? ""
        case .collection: attribution.collection ?? ""
        case .variant: attribution.variant?.rawValue ?? ""
        case .cache:
            attribution.operation == "storage.objects.get"
                ? [200: "full", 206: "partial", 304: "notModified"][status] ?? "" : ""
        case .status: status == 0 ? "" : "\(status)"
        case .outcome: abortCause?.rawValue ?? outcome.rawValue
        case .tag: attribution.tag ?? ""
        }
    }
}
