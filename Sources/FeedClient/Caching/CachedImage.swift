// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// An encoded image in a cache, and its validators.
struct CachedImage: CacheableImage, Hashable {
    let data: Data
    /// Empty when the server gave none.
    var entityTag = ""
    /// Until when the image may be shown without asking, in microseconds since 1970.
    var freshUntil: Int64 = 0
}
