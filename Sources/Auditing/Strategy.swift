// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import FeedClient

/// A way for an app to load its feed, whose cost is to be measured.
package struct Strategy: Sendable, Hashable {
    /// The name, as `--strategy` takes it.
    package let name: String
    /// Which images the list loads.
    package let mode: FeedMode
    /// The most bytes of images in memory; `nil` for no cache in memory.
    package let memoryByteCountMax: Int?
    /// The most bytes of images on disk; `nil` for no cache on disk.
    package let diskByteCountMax: Int?

    /// The size of the presets' cache in memory.
    package static let memoryByteCountMaxDefault = 64 << 20
    /// The size of the presets' cache on disk.
    package static let diskByteCountMaxDefault = 256 << 20

    /// The origin's first version: it loads every image of every post and keeps none.
    package static let baseline = Strategy(name: "all-images", mode: .allImages, hasMemory: false, hasDisk: false)

    /// The way from the origin's first version to its last, in its order; the first is the baseline.
    package static let presets = [
        baseline,
        Strategy(name: "all-images+memory", mode: .allImages, hasMemory: true, hasDisk: false),
        Strategy(name: "thumbnails", mode: .thumbnails, hasMemory: false, hasDisk: false),
        Strategy(name: "thumbnails+memory", mode: .thumbnails, hasMemory: true, hasDisk: false),
        Strategy(name: "thumbnails+memory+disk", mode: .thumbnails, hasMemory: true, hasDisk: true),
    ]

    private init(name: String, mode: FeedMode, hasMemory: Bool, hasDisk: Bool) {
        self.name = name
        self.mode = mode
        memoryByteCountMax = hasMemory ? Self.memoryByteCountMaxDefault : nil
        diskByteCountMax = hasDisk ? Self.diskByteCountMaxDefault : nil
    }

    /// Returns the presets of these names, in this order, or all presets for no names.
    package static func named(_ names: [String]) throws -> [Strategy] {
        guard !names.isEmpty else { return presets }
        return try names.map { name in
            guard let strategy = presets.first(where: { $0.name == name }) else {
                throw AuditError.unknownStrategy(name)
            }
            return strategy
        }
    }
}
