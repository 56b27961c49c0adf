// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The images in memory: one pool for all, or one for thumbnails and one for full images, so that opening a post with large
/// images does not cost the list its thumbnails.
struct MemoryPools {
    private let isSeparate: Bool
    private var thumbnails: MemoryCache<CachedImage>
    private var full: MemoryCache<CachedImage>?

    init(_ memory: ImagePipeline.Configuration.Memory) {
        isSeparate = memory.fullByteCountMax != nil
        thumbnails = MemoryCache(byteCountMax: memory.byteCountMax, policy: memory.policy)
        full = memory.fullByteCountMax.map { MemoryCache(byteCountMax: $0, policy: memory.policy) }
    }

    var keys: [String] { (thumbnails.keys + (full?.keys ?? [])).sorted() }

    func image(_ key: String, as role: ImageReference.Role) -> CachedImage? {
        isShared(role) ? thumbnails.peek(key) ?? full?.peek(key) : full?.peek(key) ?? thumbnails.peek(key)
    }

    mutating func touch(_ key: String, as role: ImageReference.Role) {
        // An image that was asked for in both roles is in the pool of the first; elsewhere it is not an entry.
        thumbnails.touch(key)
        full?.touch(key)
    }

    mutating func store(_ image: CachedImage, key: String, as role: ImageReference.Role) {
        if isShared(role) {
            thumbnails.store(image, for: key, byteCount: image.data.count)
        } else {
            full?.store(image, for: key, byteCount: image.data.count)
        }
    }

    mutating func remove(_ key: String) {
        thumbnails.remove(key)
        full?.remove(key)
    }

    mutating func removeAll() {
        thumbnails.removeAll()
        full?.removeAll()
    }

    private func isShared(_ role: ImageReference.Role) -> Bool { !isSeparate || role == .thumbnail }
}
