// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient

/// The disk cache of FeedClient without a disk: sizes in the same table, dropped for the same reasons.
struct SimulatedDisk: Sendable {
    private let ageMax: Duration?
    private var index: NumberedCache<Entry>
    private var lastSweep: Int64 = 0

    private struct Entry: Sendable {
        var image: SimulatedImage
        var lastAskedFor: Int64
    }

    /// Creates an empty cache.
    init(_ cache: Strategy.Cache) {
        ageMax = cache.ageMax
        index = NumberedCache(byteCountMax: cache.byteCountMax, policy: cache.policy)
    }

    /// Begins again with an empty cache; times are microseconds since 1970.
    mutating func begin(at now: Int64) {
        index.removeAll()
        lastSweep = now
    }

    /// The image of a key; one that is too old is forgotten.
    mutating func image(_ key: ImageTable.Key, now: Int64) -> SimulatedImage? {
        guard let entry = index[key.number] else { return nil }
        if !isTooOld(entry, at: now) { return entry.image }
        index.remove(key.number)
        return nil
    }

    /// Whether an image can be had; one that is too old is not, and stays until it is requested.
    func holds(_ key: ImageTable.Key, now: Int64) -> Bool { index[key.number].map { !isTooOld($0, at: now) } ?? false }

    /// Notes that an image was asked for.
    mutating func touch(_ key: ImageTable.Key, now: Int64) {
        guard var entry = index[key.number] else { return }
        index.touch(key.number)
        entry.lastAskedFor = now
        index.replace(key.number, with: entry)
    }

    /// Notes until when an image that its server confirmed is fresh.
    mutating func note(freshUntil: Int64, for key: ImageTable.Key) {
        guard var entry = index[key.number] else { return }
        entry.image.freshUntil = freshUntil
        index.replace(key.number, with: entry)
    }

    /// Keeps an image; what is too old goes first, from time to time.
    mutating func store(_ image: SimulatedImage, key: ImageTable.Key, now: Int64) {
        if ageMax != nil, Duration.microseconds(now - lastSweep) >= DiskCache.sweepInterval { sweep(now) }
        guard image.byteCount <= index.byteCountMax else { return }
        let entry = Entry(image: image, lastAskedFor: now)
        index.insert(key.number, id: key.idOnDisk, value: entry, byteCount: image.byteCount)
    }

    private mutating func sweep(_ now: Int64) {
        lastSweep = now
        for entry in index.entries where isTooOld(entry.value, at: now) { index.remove(entry.key) }
    }

    private func isTooOld(_ entry: Entry, at now: Int64) -> Bool {
        ageMax.map { Duration.microseconds(now - entry.lastAskedFor) > $0 } ?? false
    }
}

/// An image without its bytes.
struct SimulatedImage: Sendable, Hashable {
    let byteCount: Int
    /// Until when it may be shown without asking, in microseconds since 1970.
    var freshUntil: Int64
    /// The number of its entity tag in the ``ImageTable``.
    let tag: Int
}
