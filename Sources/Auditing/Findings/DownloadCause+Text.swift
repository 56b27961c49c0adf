// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

extension DownloadCause {
    /// The cause as people read it.
    package var title: String {
        switch self {
        case .overFetched: "over-fetched"
        case .prefetchedUnused: "prefetched"
        case .needed, .oversized, .again, .revalidated, .aborted, .failed, .lookups, .documents: rawValue
        }
    }

    /// Its meaning.
    package var explanation: String {
        switch self {
        case .needed: "images that were shown, loaded for the first time"
        case .oversized: "what of these has more pixels than the place where they were shown"
        case .overFetched: "images of posts that the user never opened"
        case .again: "images that the same user had loaded before"
        case .prefetchedUnused: "images loaded beforehand that nobody asked for"
        case .revalidated: "images that had been replaced, as their server was asked"
        case .aborted: "parts of images that nobody waited for any more"
        case .failed: "refusals, and images that failed halfway"
        case .lookups: "answers to getDownloadURL"
        case .documents: "answers to queries"
        }
    }
}
