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
    /// After the operating system took it: survives `kill -9`; a power cut may damage the file.
    case relaxed
}
