// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import SeededRandom

/// Which picture of a feed is meant; with a seed it determines the picture.
package struct PhotoIdentity: Sendable, Hashable {
    /// The id of the user who owns the post.
    package let owner: String
    /// The id of the post.
    package let feed: String
    /// The picture's place in the post.
    package let index: Int

    /// Names a picture.
    package init(owner: String, feed: String, index: Int) {
        self.owner = owner
        self.feed = feed
        self.index = index
    }

    /// A generator for one purpose, so that more draws for one do not shift another's.
    func generator(seed: UInt64, purpose: String) -> SplitMix64 {
        var hash = StableHash()
        hash.combine(seed)
        hash.combine(purpose)
        hash.combine(owner)
        hash.combine(feed)
        hash.combine(UInt64(truncatingIfNeeded: index))
        return SplitMix64(seed: hash.value)
    }
}
