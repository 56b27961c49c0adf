// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Why bytes of responses' bodies were downloaded; each byte has one cause.
package enum DownloadCause: String, Sendable, Hashable, CaseIterable, CodingKeyRepresentable, Codable {
    /// Images that were shown, or belong to a post that the user opened, and had not been loaded before.
    case needed
    /// The share of such images' bytes above the pixels of the place where they were shown; see ``DisplaySizes``.
    case oversized
    /// Images of posts that the user never opened, but for the one that the list shows.
    case overFetched
    /// Images that the same user had loaded before, in the same generation.
    case again
    /// Images loaded beforehand that were never requested.
    case prefetchedUnused
    /// Images that their server had replaced, as asking for them showed.
    case revalidated
    /// Parts of images that were no longer awaited.
    case aborted
    /// Refusals, and images that failed halfway.
    case failed
    /// Questions for images' addresses (`getDownloadURL`).
    case lookups
    /// Answers to queries.
    case documents

    /// Whether an app could do without these bytes, and show the same.
    package var isWaste: Bool { self != .needed && self != .documents }
}

extension DownloadCause {
    /// The cause as people read it.
    package var title: String {
        switch self {
        case .needed: "needed"
        case .oversized: "too many pixels"
        case .overFetched: "never opened"
        case .again: "downloaded again"
        case .prefetchedUnused: "prefetched"
        case .revalidated: "replaced"
        case .aborted: "given up"
        case .failed: "failed"
        case .lookups: "address lookups"
        case .documents: "documents"
        }
    }

    /// Its meaning.
    package var explanation: String {
        switch self {
        case .needed: "images that were shown, loaded for the first time"
        case .oversized: "the share of these above the pixels of the place where they were shown"
        case .overFetched: "images of posts that the user never opened, but for the one in the list"
        case .again: "images that the same user had loaded before"
        case .prefetchedUnused: "images that were loaded beforehand and never shown"
        case .revalidated: "images that had been replaced, as asking their server showed"
        case .aborted: "parts of images that were no longer awaited"
        case .failed: "refusals, and images that failed halfway"
        case .lookups: "answers to getDownloadURL"
        case .documents: "answers to queries"
        }
    }
}
