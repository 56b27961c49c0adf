// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// How the loading of an image from the network ended, and which bytes came.
struct FetchReport: Sendable {
    enum Result: Sendable {
        case image(FetchedImage)
        /// The image that is known is still the server's.
        case notModified(freshUntil: Int64)
        case failure(FeedError)
        case cancelled
    }

    let result: Result
    let bytes: FetchBytes
    /// Whether the beginning that a cache had was found not to be the image's.
    var isHeadWrong = false

    /// The generation of the image that came.
    var servedGeneration: Int64? {
        guard case .image(let fetched) = result else { return nil }
        return fetched.generation
    }
}

/// An image that came whole.
struct FetchedImage: Sendable {
    let image: CachedImage
    /// The object's generation, which may be another than the one asked for.
    let generation: Int64?
    /// The image as a file that a disk cache can take in.
    let file: URL?
    /// Whether the server lets it be kept.
    let isStorable: Bool
}

/// The body bytes that a fetch brought.
struct FetchBytes: Sendable, Hashable {
    /// Bytes of the image.
    var image = 0
    /// Bytes of the image that an earlier fetch had brought.
    var resumed = 0
    /// Bytes of refusals, and of images that had to be thrown away.
    var lost = 0
    /// Whether the bytes of an image that is not whole are kept for a later fetch.
    var isKept = false

    /// Counts all that came of the image as lost.
    mutating func loseImage() {
        lost += image
        image = 0
        resumed = 0
    }
}
