// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient

/// The disk cache of FeedClient without a disk: sizes in the same table, dropped for the same reasons.
struct SimulatedDisk: Sendable {
    private let ageMax: Duration?
    private var index: CacheIndex<Entry>
    private var lastSweep: Int64

    private struct Entry: Sendable {
        var image: SimulatedImage
        var lastAskedFor: Int64
    }

    /// Creates an empty cache; times are microseconds since 1970.
    init(_ cache: Strategy.Cache, now: Int64) {
        ageMax = cache.ageMax
        index = CacheIndex(byteCountMax: cache.byteCountMax, policy: cache.policy)
        lastSweep = now
    }

    /// The image of a key; one that is too old is forgotten.
    mutating func image(_ key: String, now: Int64) -> SimulatedImage? {
        let stem = CacheFileName.stem(of: key)
        guard let entry = index[stem] else { return nil }
        if !isTooOld(entry, at: now) { return entry.image }
        index.remove(stem)
        return nil
    }

    /// Whether an image can be had; one that is too old is not, and stays until it is requested.
    func holds(_ key: String, now: Int64) -> Bool {
        index[CacheFileName.stem(of: key)].map { !isTooOld($0, at: now) } ?? false
    }

    /// Notes that an image was asked for.
    mutating func touch(_ key: String, now: Int64) {
        let stem = CacheFileName.stem(of: key)
        guard var entry = index[stem] else { return }
        index.touch(stem)
        entry.lastAskedFor = now
        index.replace(stem, with: entry)
    }

    /// Notes until when an image that its server confirmed is fresh.
    mutating func note(freshUntil: Int64, for key: String) {
        let stem = CacheFileName.stem(of: key)
        guard var entry = index[stem] else { return }
        entry.image.freshUntil = freshUntil
        index.replace(stem, with: entry)
    }

    /// Keeps an image; what is too old goes first, from time to time.
    mutating func store(_ image: SimulatedImage, key: String, now: Int64) {
        if ageMax != nil, Duration.microseconds(now - lastSweep) >= DiskCache.sweepInterval { sweep(now) }
        guard image.byteCount <= index.byteCountMax else { return }
        let entry = Entry(image: image, lastAskedFor: now)
        _ = index.insert(CacheFileName.stem(of: key), value: entry, byteCount: image.byteCount)
    }

    private mutating func sweep(_ now: Int64) {
        lastSweep = now
        for stem in index.keys where index[stem].map({ isTooOld($0, at: now) }) == true { index.remove(stem) }
    }

    private func isTooOld(_ entry: Entry, at now: Int64) -> Bool {
        ageMax.map { Duration.microseconds(now - entry.lastAskedFor) > $0 } ?? false
    }
}

/// An image without its bytes.
struct SimulatedImage: CacheableImage, Hashable {
    let byteCount: Int
    /// Until when it may be shown without asking, in microseconds since 1970.
    var freshUntil: Int64
    let entityTag: String
}
