// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The keys that the caches file images under.
package struct CacheKeys<Key: Hashable & Sendable>: Sendable {
    /// The most images of outdated documents that are remembered.
    static var successorCountMax: Int { 10_000 }

    /// The keys of images that came in place of others, which were asked for and are gone.
    private var successors: [Key: Key] = [:]

    package init() {}

    /// The key of an image, as far as it is known before the image is asked for; `own` is its reference's.
    package func key(of own: Key) -> Key { successors[own] ?? own }

    /// Notes the key of a later image that came: the document is outdated, and later requests for the older one get what there is.
    package mutating func succeed(_ own: Key, by served: Key) {
        if successors.count >= Self.successorCountMax { successors.removeAll() }
        successors[own] = served
    }
}

extension ImageReference {
    /// The key of an image that came, and whether it is a later one than was asked for.
    ///
    /// It is that of the generation that was served, not of the one that was asked for; `nil` where either is not known, and the
    /// image is filed as it was asked for.
    package func servedKey(_ served: Int64?) -> (key: String, isLater: Bool)? {
        guard let generation, let served else { return nil }
        let key = cacheKey(served: served)
        return (key, served > generation && key != cacheKey)
    }
}

extension CacheKeys<String> {
    /// The key of an image, as far as it is known before the image is asked for.
    func key(of reference: ImageReference) -> String { key(of: reference.cacheKey) }

    /// The key of an image that came, which was asked for under another.
    mutating func key(of reference: ImageReference, askedAs key: String, served: Int64?) -> String {
        guard let served = reference.servedKey(served) else { return key }
        if served.isLater { succeed(reference.cacheKey, by: served.key) }
        return served.key
    }
}
