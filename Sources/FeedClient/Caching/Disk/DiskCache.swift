// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// Encoded images in the files of one directory, within limits of bytes and age; a policy chooses what goes.
///
///     one file per image, written under another name and renamed: a crash leaves no half-written image
///     index.fmjournal   who was put in, asked for and dropped; rebuilt from the files when it is lost
///     index.fmlock      held while the directory is changed
///
/// Processes may share the directory: each follows what the others write to the journal. The limit counts the images'
/// bytes, not the files' headers. Files that are not the cache's own stay untouched.
package struct DiskCache: Sendable {
    let directory: URL
    let ageMax: Duration?
    let now: @Sendable () -> Int64
    var index: CacheIndex<Int64>
    var journal: DiskJournal
    var lastSweep: Int64 = .min
    /// Whether the journal was found to be lost, and the table is to be rebuilt from the files.
    var isLost = false

    /// Opens the directory, or creates it, and learns which images are in it.
    ///
    /// `now` gives microseconds since 1970; images not asked for within `ageMax` go.
    package init(
        directory: URL,
        byteCountMax: Int,
        ageMax: Duration? = nil,
        policy: CachePolicyChoice = .lru,
        now: @escaping @Sendable () -> Int64
    ) throws(FeedError) {
        self.directory = directory
        self.ageMax = ageMax
        self.now = now
        index = CacheIndex(byteCountMax: byteCountMax, policy: policy)
        do {
            try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
            journal = try DiskJournal(directory: directory)
            journal.lock()
            defer { journal.unlock() }
            follow()
            try reconcile()
        } catch {
            throw .cacheUnusable(directory.path, cause: error)
        }
    }

    /// The bytes of all images held.
    package var byteCount: Int { index.byteCount }

    /// The number of images held.
    package var count: Int { index.count }

    /// Whether an image of this key is held.
    package mutating func holds(_ key: String) -> Bool {
        follow()
        return index[CacheFileName.stem(of: key)].map { !isTooOld($0) } ?? false
    }

    /// The file of a key; one that is too old, or gone, is a miss and forgotten.
    mutating func file(for key: String, isOpened: Bool = true) -> ImageFile? {
        let stem = CacheFileName.stem(of: key)
        // Others may have stored it, or asked for it.
        if index[stem].map(isTooOld) ?? true { follow() }
        guard let lastAskedFor = index[stem] else { return nil }
        if !isTooOld(lastAskedFor), let file = ImageFile(url(stem), key: key, isOpened: isOpened) { return file }
        change { $0.removeUnlessStoredAnew(stem) }
        return nil
    }

    /// The image of a key, which counts as asked for; a file that is damaged is a miss and forgotten.
    package mutating func data(for key: String) -> Data? {
        guard let file = file(for: key) else { return nil }
        switch file.read() {
        case .image(let image):
            touch(key)
            return image.data
        case .damaged: remove(key)
        case .unreadable: break
        }
        return nil
    }

    /// Notes that an image was asked for.
    mutating func touch(_ key: String) {
        let stem = CacheFileName.stem(of: key)
        guard index[stem] != nil else { return }
        change { $0.touchEntry(stem) }
    }

    /// Keeps an image, unless it is larger than the limit.
    package mutating func store(_ data: Data, for key: String) throws {
        try store(CachedImage(data: data), for: key)
    }

    /// Keeps an image and what its server said of it.
    mutating func store(_ image: CachedImage, for key: String) throws {
        guard let file = NewImageFile(image, key: key, in: directory) else { return }
        try admit(try file.written(), for: key, imageByteCount: image.data.count)
    }

    /// Takes in a whole file that was written under another name; it is removed if it is larger than the limit.
    mutating func admit(_ file: URL, for key: String, imageByteCount: Int) throws {
        let stem = CacheFileName.stem(of: key)
        try change { (cache) throws in
            if cache.sweepIsDue { cache.sweep() }
            // First the file: a table that says more than there is would be wrong for as long as it is open.
            guard imageByteCount <= cache.index.byteCountMax else {
                return try FileManager.default.removeItem(at: file)
            }
            try renameFile(file, to: cache.url(stem))
            cache.insertEntry(stem, imageByteCount: imageByteCount)
        }
    }

    /// Forgets an image and removes its file.
    mutating func remove(_ key: String) {
        let stem = CacheFileName.stem(of: key)
        change { $0.removeEntry(stem) }
    }

    /// Notes until when an image that its server confirmed is fresh.
    func note(freshUntil: Int64, for key: String) {
        ImageFile.note(freshUntil: freshUntil, in: url(CacheFileName.stem(of: key)))
    }

    func url(_ stem: String) -> URL {
        directory.appendingPathComponent(stem).appendingPathExtension(CacheFileName.image)
    }
}
