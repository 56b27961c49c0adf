// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Someone who posts.
package struct FeedUser: Sendable, Hashable {
    /// The user's id, unique in the feed.
    package let id: String
    /// The user's name as shown.
    package let name: String
}
