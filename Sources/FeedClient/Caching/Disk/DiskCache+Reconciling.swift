// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation

extension DiskCache {
    /// An incomplete file that has not been written to for this long was left by a killed process.
    static let abandonedAfterSeconds = 3_600.0

    /// Makes the table true to the files: the journal may be lost, or its last records.
    ///
    /// Files that killed processes left half-written are removed, but not those that others are writing now; downloads that broke off
    /// stay, to be resumed.
    mutating func reconcile() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
        let stems = Set(names.compactMap { CacheFileName.stem(ofFile: $0, extension: CacheFileName.image) })
        for stem in index.keys where !stems.contains(stem) { removeEntry(stem) }
        for stem in stems.filter({ index[$0] == nil }).sorted(by: isOlder) {
            guard let byteCount = ImageFile.header(of: url(stem))?.imageByteCount else {
                if ImageFile.isOwn(url(stem)) { try? FileManager.default.removeItem(at: url(stem)) }
                continue
            }
            insertEntry(stem, imageByteCount: byteCount)
        }
        for name in names where CacheFileName.stem(ofFile: name, extension: CacheFileName.temporary) != nil {
            removeAbandoned(directory.appendingPathComponent(name))
        }
        trimToLimit()
        sweep()
    }

    /// Images go until the limit is kept, which may have been another one when they were stored.
    private mutating func trimToLimit() {
        while index.byteCount > index.byteCountMax, let stem = index.evict() {
            try? FileManager.default.removeItem(at: url(stem))
            journal.append([JournalRecord(.remove, stem: stem)])
        }
    }

    private func isOlder(_ left: String, _ right: String) -> Bool {
        (url(left).modificationDate, left) < (url(right).modificationDate, right)
    }

    private func removeAbandoned(_ url: URL) {
        // The file system's time, not the cache's: it is compared with the file system's.
        guard Date().timeIntervalSince(url.modificationDate) > Self.abandonedAfterSeconds else { return }
        try? FileManager.default.removeItem(at: url)
    }
}
