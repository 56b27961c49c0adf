// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// Encoded images in memory, within an exact byte limit; the least recently asked for go first.
///
/// `NSCache` is no substitute: on Linux it drops the smallest entries first and its insertion takes linear time.
package struct MemoryCache: Sendable {
    private var index: RecencyIndex<Data>

    /// Creates an empty cache.
    package init(byteCountMax: Int) { index = RecencyIndex(byteCountMax: byteCountMax) }

    /// The bytes of all images held.
    package var byteCount: Int { index.byteCount }

    /// The keys held, the least recently asked for first.
    package var keysFromOldest: [String] { index.keysFromOldest }

    /// The image of a key, which becomes the latest.
    package mutating func data(for key: String, ticket: UInt64) -> Data? { index.touch(key, ticket: ticket) }

    /// Keeps an image, unless it is larger than the limit or would have been dropped already.
    package mutating func store(_ data: Data, for key: String, ticket: UInt64) {
        _ = index.insert(key, data, byteCount: data.count, ticket: ticket)
    }

    /// Forgets all images, also those still on their way that were asked for up to this ticket.
    package mutating func removeAll(upTo ticket: UInt64) { index.removeAll(upTo: ticket) }
}
