// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// How an app asks for its images otherwise than a ``FeedSession`` would, so that an audit can measure it.
package struct FeedLoading: Sendable {
    /// Makes another reference of the one that a post's document gives.
    package var reference: @Sendable (ImageReference) -> ImageReference = { $0 }
    /// The prefetching for a view.
    package var prepare: @Sendable ([ImageReference]) async throws -> Void = { _ in }

    /// Creates the way of a ``FeedSession``.
    package init() {}
}
