// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Where an image came from.
public enum ImageOrigin: String, Sendable, Hashable, CaseIterable {
    /// The cache in memory.
    case memory
    /// The cache on disk.
    case disk
    /// The network; another request may have loaded it.
    case network
    /// A cache, after the image's server was asked whether it has another.
    case revalidation
}
