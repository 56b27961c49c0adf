// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SessionLog

/// The downloads that broke off: in the directory of the disk cache, or in memory where there is none.
final class PartialStore: Sendable {
    /// The downloads kept on disk; those that broke off longest ago go when the cache is opened.
    static let fileCountMax = 64
    /// The bytes of downloads kept in memory; those that broke off longest ago go.
    static let memoryByteCountMax = 8 << 20

    struct Kept: Sendable {
        var data: Data
        var entityTag: String
        var wholeByteCount: Int?
    }

    let directory: URL?
    private let memory = Locked(MemoryCache<Kept>(byteCountMax: memoryByteCountMax, policy: .fifo))

    init(directory: URL?) {
        self.directory = directory
        if let directory { Self.trim(directory) }
    }

    /// False for a download that is larger than the limit.
    func keepInMemory(_ kept: Kept, for key: String) -> Bool {
        memory.withLock { memory in
            memory.store(kept, for: key, byteCount: kept.data.count)
            return memory.peek(key) != nil
        }
    }

    func takeFromMemory(_ key: String) -> Kept? {
        memory.withLock { memory in
            defer { memory.remove(key) }
            return memory.peek(key)
        }
    }

    /// Removes the oldest files beyond the limit, but for those that are open in another process.
    private static func trim(_ directory: URL) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []
        let files = names.filter { CacheFileName.stem(ofFile: $0, extension: CacheFileName.partial) != nil }
            .map { directory.appendingPathComponent($0) }
        guard files.count > fileCountMax else { return }
        for file in files.sorted(by: isOlder).dropLast(fileCountMax) {
            // A lock that is taken means a download still running, perhaps in another process.
            guard let handle = try? FileHandle(forUpdating: file), handle.tryLock() else { continue }
            try? FileManager.default.removeItem(at: file)
        }
    }

    private static func isOlder(_ left: URL, _ right: URL) -> Bool {
        (left.modificationDate, left.path) < (right.modificationDate, right.path)
    }
}
