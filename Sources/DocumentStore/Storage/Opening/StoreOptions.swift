// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import struct Foundation.URL

/// Where a store keeps its data.
package enum StoreLocation: Sendable {
    /// A database file, created when missing; its directory must exist.
    case file(URL)
    /// Gone with the store. Reads wait for writes, and for one another.
    case memory
}

/// When a commit is acknowledged.
package enum StoreDurability: Sendable {
    /// After the disk confirmed it: survives a power cut.
    case full
    /// When all reads see it; it is written to the file some milliseconds later, with others, and by the time the store
    /// is closed. For a store that goes with its process.
    case deferred
}
