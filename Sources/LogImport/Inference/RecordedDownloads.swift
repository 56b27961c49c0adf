// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import SessionLog

/// Why recorded bytes were sent, as far as requests say; each byte of a view has one cause.
package enum RecordedCause: String, Sendable, Hashable, CaseIterable {
    /// The first load, by its user and of its generation, of the image that a list shows of a post that the user never opened.
    case listed
    /// The first load of an image of a post that the user opened.
    case opened
    /// The first load of another image of a post that the user never opened.
    case overFetched
    /// Images that the same user had loaded before, in the same generation.
    case again
    /// Images that the client had, as its server said (304).
    case revalidated
    /// Images whose client ended the response.
    case aborted
    /// Images whose server ended the response.
    case failed
    /// Answers to the queries of lists.
    case documents
}

/// The downloads that the views of a log explain, by cause, place and object.
///
/// They add up to the log's bytes without what no view explains. Memory grows with the different objects and the pages that
/// they are on.
package struct RecordedDownloads: Sendable, Hashable {
    /// In an order that depends on the sums alone.
    package let parts: [SessionDownloads]

    /// The sums of a tally; `nil` where no view explains any.
    init?(_ tally: DownloadTally) {
        parts = tally.parts
        guard !parts.isEmpty else { return nil }
    }

    /// The downloads that an imported session was written with; `nil` where there are none, or absurd ones.
    init?(_ kept: [SessionDownloads]?) {
        guard let kept, !kept.isEmpty, kept.areAddable else { return nil }
        parts = kept
    }
}

extension [SessionDownloads] {
    /// The largest sum, as of other sums of a log.
    private static let sumMax = Double(1 << 53)

    /// Whether no sum of them overflows.
    fileprivate var areAddable: Bool {
        reduce(0) { $0 + abs(Double($1.byteCount)) + abs(Double($1.responseCount)) + abs(Double($1.documentReads)) }
            <= Self.sumMax
    }
}
