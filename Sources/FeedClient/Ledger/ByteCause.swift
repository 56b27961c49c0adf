// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The purpose of a byte of a response's body.
public enum ByteCause: String, Sendable, Hashable, CaseIterable, CodingKeyRepresentable {
    /// Answers to queries and uploads.
    case documents
    /// Images that had not been loaded before.
    case first
    /// Images that had been loaded before, in the same generation.
    case again
    /// Images that their server had replaced, as asking for them showed.
    case revalidated
    /// Images loaded beforehand that are not requested yet.
    case prefetchedUnused
    /// Parts of images that were no longer awaited, and that are not resumed yet.
    case aborted
    /// Refusals, and images that came damaged or failed halfway.
    case failed
}
