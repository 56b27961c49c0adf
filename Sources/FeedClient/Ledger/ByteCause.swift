// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// What a byte of a response's body was for.
public enum ByteCause: String, Sendable, Hashable, CaseIterable, CodingKeyRepresentable {
    /// Answers to queries and uploads.
    case documents
    /// Images that had not been loaded before.
    case first
    /// Images that had been loaded before, in the same generation.
    case again
    /// Images that their server had replaced, as asking for them showed.
    case revalidated
    /// Images loaded beforehand that nobody has asked for yet.
    case prefetchedUnused
    /// Parts of images that nobody waited for any more, and that nothing has gone on with yet.
    case aborted
    /// Refusals, and images that came damaged or failed halfway.
    case failed
}
