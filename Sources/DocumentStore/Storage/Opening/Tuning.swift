// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DataFiles

/// SQLite's settings.
enum Tuning {
    /// Of the space that is kept for deletions, the log may take two thirds.
    private static func checkpointPageCount(_ durability: StoreDurability, reserve: SpaceReserve) -> Int64 {
        guard durability == .full, reserve.byteCount > 0 else { return checkpointPageCount }
        return min(checkpointPageCount, reserve.byteCount * 2 / 3 / Int64(pageByteCount))
    }

    static let pageByteCount = 2_048
    /// For the one connection that writes: a large commit touches many pages.
    static let writerCacheKibibytes = 16_384
    /// For each of those that read.
    private static let readerCacheKibibytes = 2_048
    /// Pages in the log before they are copied into the file: 16 MiB, so that hot pages are copied seldom.
    private static let checkpointPageCount: Int64 = 8_192

    static func writerSettings(_ durability: StoreDurability, reserve: SpaceReserve) -> [String] {
        [
            "PRAGMA journal_mode = WAL",
            "PRAGMA synchronous = \(durability.pragma)",
            // Negative counts kibibytes.
            "PRAGMA cache_size = -\(writerCacheKibibytes)",
            "PRAGMA wal_autocheckpoint = \(checkpointPageCount(durability, reserve: reserve))",
            "PRAGMA temp_store = MEMORY",
            // Debian's SQLite would overwrite with zeros what is deleted.
            "PRAGMA secure_delete = OFF",
        ]
    }

    static let readerSettings = [
        "PRAGMA query_only = 1",
        "PRAGMA cache_size = -\(readerCacheKibibytes)",
        "PRAGMA temp_store = MEMORY",
    ]
}

extension StoreDurability {
    fileprivate var pragma: String {
        switch self {
        case .full: "FULL"
        case .deferred: "OFF"
        }
    }
}
