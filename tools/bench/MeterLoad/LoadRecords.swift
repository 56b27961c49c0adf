// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering

/// Records of downloads that differ from each other, made when they are asked for.
struct LoadRecords {
    let objectCount: Int
    let recordCount: Int

    /// The records lie so far apart in time that they span ten minutes.
    private static let spanMicroseconds = 600_000_000
    private static let startMicroseconds: Int64 = 1_800_000_000_000_000

    subscript(index: Int) -> UsageRecord {
        // A step that shares no factor with most counts of objects reaches all of them in no order.
        let object = index &* 7_919 % objectCount
        let isAborted = index % 8 == 0
        let body = Int64(40_000 + object % 1_000)
        let sent = isAborted ? body / 2 : body
        return UsageRecord(
            startMicroseconds: Self.startMicroseconds + Int64(index * Self.spanMicroseconds / recordCount),
            durationMicroseconds: Int64(index % 977),
            method: "GET",
            status: 200,
            outcome: isAborted ? .aborted : .complete,
            abortCause: isAborted ? .clientClosed : nil,
            attribution: attribution(object, index),
            received: TransferredBytes(header: 275, body: 0, wire: 275),
            sent: TransferredBytes(header: 535, body: sent, wire: sent + 535),
            billed: BillingRule.storage(.classB).billed(status: 200, sentBodyBytes: sent)
        )
    }

    private func attribution(_ object: Int, _ index: Int) -> UsageAttribution {
        var attribution = UsageAttribution(service: .storage, operation: "storage.objects.get")
        let image = FeedImagePath(owner: "u\(object / 50)", feed: "p\(object / 5)", index: object % 5)
        attribution.bucket = "demo-feed.appspot.com"
        attribution.object = image.objectName
        attribution.image = image
        attribution.client = ["ios/11.2.0", "android/21.0.0", "webjs/12.3.0"][index % 3]
        attribution.user = "user\(index % 100)"
        return attribution
    }
}
