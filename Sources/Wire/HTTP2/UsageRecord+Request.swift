// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering

extension UsageRecord {
    /// The record that takes bytes back which belong to no answer that is still known.
    static func takingBack(
        sentByteCount: Int64,
        of service: UsageAttribution.Service,
        at microseconds: Int64
    ) -> UsageRecord {
        UsageRecord(
            startMicroseconds: microseconds,
            durationMicroseconds: 0,
            method: "",
            status: 0,
            outcome: .aborted,
            attribution: UsageAttribution(service: service, operation: "\(service.rawValue).connection"),
            received: .zero,
            sent: TransferredBytes(header: -sentByteCount, body: 0, wire: -sentByteCount),
            billed: .zero,
            requestCount: 0
        )
    }

    /// The record of what was billed for an exchange after its last record, such as a commit whose client had gone.
    static func late(_ filing: Exchange.Filing, at microseconds: Int64) -> UsageRecord {
        UsageRecord(
            startMicroseconds: microseconds,
            durationMicroseconds: 0,
            method: "",
            status: 0,
            outcome: .complete,
            attribution: filing.attribution,
            received: .zero,
            sent: .zero,
            billed: filing.billing.billed(status: 0, sentBodyBytes: 0),
            requestCount: 0,
            notes: filing.notes
        )
    }

    /// The record of bytes that belong to no request, or to one that another record counts.
    func countingNoRequest() -> UsageRecord {
        var record = self
        record.requestCount = 0
        return record
    }
}
