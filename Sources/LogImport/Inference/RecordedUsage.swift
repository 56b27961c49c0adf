// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import Metering
package import SessionLog

/// What really happened: the sums of a log, and the part of them that no view explains.
package struct RecordedUsage: Sendable, Hashable {
    /// All that was metered.
    package private(set) var total: [UsageAttribution.Service: UsageTotals]
    /// What no list and no image of a document accounts for: it costs the same whatever the app does with images.
    package private(set) var other: [UsageAttribution.Service: UsageTotals]
    /// The billed reads, by query and cause; they add up to the total's, or there are none where the log has no reads.
    package let reads: RecordedReads
    /// Why the bytes of views were sent; `nil` where there are none, or a former version imported the session.
    package let downloads: RecordedDownloads?

    init(_ activity: LoggedActivity, owned: OwnedObjects, reads: RecordedReads, downloads: RecordedDownloads?) {
        self.init(total: activity.usage, owned: owned.usage(in: activity), reads: reads, downloads: downloads)
        for list in activity.lists { other[list.service] = (other[list.service] ?? .zero) - list.usage }
    }

    /// The sums of a log without lists, of which `owned` are those of the objects that belong to a document.
    init(
        total: [UsageAttribution.Service: UsageTotals],
        owned: UsageTotals,
        reads: RecordedReads,
        downloads: RecordedDownloads?
    ) {
        (self.total, self.other, self.reads, self.downloads) = (total, total, reads, downloads)
        if owned != .zero { other[.storage] = (other[.storage] ?? .zero) - owned }
    }

    /// The sums that an imported session was written with; `nil` where it has none.
    package init?(_ imported: SessionHeader.Imported?) {
        guard let usage = imported?.usage else { return nil }
        total = usage.total
        other = usage.other
        reads = RecordedReads(usage.reads)
        downloads = RecordedDownloads(usage.downloads)
    }

    /// The billed reads that no view explains.
    package var otherDocumentReads: Int64 { other.values.reduce(0) { $0 + $1.billed.documentReads } }

    /// The sums, to be kept with an imported session.
    var kept: SessionHeader.Imported.Usage {
        SessionHeader.Imported.Usage(total: total, other: other, reads: reads.kept, downloads: downloads?.parts)
    }

    /// The shares that views explain; 100 of nothing.
    var explained: SessionHeader.Imported.Explained {
        SessionHeader.Imported.Explained(
            bytePercent: percent { $0.sent.body },
            readPercent: percent { $0.billed.documentReads }
        )
    }

    private func percent(_ amount: (UsageTotals) -> Int64) -> Double {
        let all = total.values.reduce(0) { $0 + amount($1) }
        let rest = other.values.reduce(0) { $0 + amount($1) }
        // Logs of before 2026-11-25 take queries back without saying which list they were an answer of.
        return all == 0 ? 100 : min(100, max(0, 100 * Double(all - rest) / Double(all)))
    }
}
