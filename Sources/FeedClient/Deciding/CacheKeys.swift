// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The keys that the caches file images under.
package struct CacheKeys: Sendable {
    /// The most images of outdated documents that are remembered.
    static let successorCountMax = 10_000

    /// The keys of images that came in place of others, which were asked for and are gone.
    private var successors: [String: String] = [:]

    package init() {}

    /// The key of an image, as far as it is known before the image is asked for.
    package func key(of reference: ImageReference) -> String { successors[reference.cacheKey] ?? reference.cacheKey }

    /// The key of an image that came: that of the generation that was served, not of the one that was asked for.
    ///
    /// When it is a later one, the document is outdated: later requests for the older one get what there is.
    package mutating func key(of reference: ImageReference, askedAs key: String, served: Int64?) -> String {
        guard let asked = reference.generation, let served else { return key }
        let servedKey = reference.cacheKey(served: served)
        if served > asked, servedKey != reference.cacheKey {
            if successors.count >= Self.successorCountMax { successors.removeAll() }
            successors[reference.cacheKey] = servedKey
        }
        return servedKey
    }
}
