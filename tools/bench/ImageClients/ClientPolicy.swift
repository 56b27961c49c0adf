// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// How an image-loading library keeps and loads images, by its source (see the docs' table, 2026-11-20).
struct ClientPolicy: Sendable {
    /// How a picture whose address never changes is kept current.
    enum Refresh: Sendable {
        /// It is loaded whole each time.
        case whole
        /// Its server is asked by the entity tag.
        case conditional
    }

    let name: String
    /// The cache in memory; a phone of 4 GiB is meant where it is a share.
    let memoryByteCountMax: Int
    /// The largest image that it takes.
    var memoryEntryByteCountMax = Int.max
    /// For how long an image stays in memory.
    var memorySeconds = Int.max
    let diskByteCountMax: Int
    /// For how long an image that is not requested stays on disk.
    var diskSeconds = Int.max
    /// The broken-off downloads that are kept, in memory; 0 for none.
    var partialByteCountMax = 0
    let refresh: Refresh

    private static let ram = 4 << 30
    private static let unlimited = Int.max / 4
    private static let week = 7 * 86_400

    /// Kingfisher 8.11.0: a quarter of the memory, 300 s; disk without limit, 7 days; identity is the URL; no resuming.
    static let kingfisher = Self(
        name: "Kingfisher",
        memoryByteCountMax: ram / 4,
        memorySeconds: 300,
        diskByteCountMax: unlimited,
        diskSeconds: week,
        refresh: .whole
    )
    /// Nuke 13.2 with its DataCache: 15 % of the memory, an entry a tenth of that; 150 MB on disk; resumes from memory.
    static let nuke = Self(
        name: "Nuke",
        memoryByteCountMax: ram * 15 / 100,
        memoryEntryByteCountMax: ram * 15 / 1_000,
        diskByteCountMax: 150_000_000,
        partialByteCountMax: ram / 100,
        refresh: .conditional
    )
    /// SDWebImage 5.21.5: no limit in memory and on disk, 7 days; no resuming.
    static let sdWebImage = Self(
        name: "SDWebImage",
        memoryByteCountMax: unlimited,
        diskByteCountMax: unlimited,
        diskSeconds: week,
        refresh: .conditional
    )

    static let all = [kingfisher, nuke, sdWebImage]
}
