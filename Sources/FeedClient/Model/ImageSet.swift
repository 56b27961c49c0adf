// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Which images of a post a screen needs.
public enum ImageSet: Sendable, Hashable, CaseIterable {
    /// Image 0, which a list shows.
    case thumbnail
    /// All but image 0: what is left to be loaded when a post of the list is opened.
    case rest
    /// All of them.
    case full
}

/// An image's description in a post's document, so that nothing must be asked before loading it.
public struct FeedImage: Sendable, Hashable {
    /// The image's place in the post, from 0.
    public let index: Int
    /// The width in pixels.
    public let pixelWidth: Int
    /// The height in pixels.
    public let pixelHeight: Int
    /// The bytes of the encoded image, where the document has it.
    public let byteCount: Int?
    /// The generation of the object, which changes whenever its bytes do.
    public let generation: Int64?
    /// The download token.
    public let token: String?
    /// Where the image is; `nil` for the object that its post names, see ``FeedItem/reference(to:in:)``.
    public let location: ImageReference.Location?

    /// Creates a description of an image.
    public init(
        index: Int,
        pixelWidth: Int,
        pixelHeight: Int,
        byteCount: Int? = nil,
        generation: Int64? = nil,
        token: String? = nil,
        location: ImageReference.Location? = nil
    ) {
        self.index = index
        self.pixelWidth = pixelWidth
        self.pixelHeight = pixelHeight
        self.byteCount = byteCount
        self.generation = generation
        self.token = token
        self.location = location
    }
}

/// The part of a post's image 0 that a list loads.
public enum ThumbnailForm: Sendable, Hashable {
    /// The image itself.
    case whole
    /// The smaller copy that its server keeps beside it.
    case resized(ResizedVariant)
    /// Its first bytes, which show all of a progressive image, though coarsely; the rest comes when the post is opened.
    /// At least one byte.
    case prefix(byteCount: Int)

    /// The reference for a list, of the one that a post's document gives.
    func listed(_ reference: ImageReference) -> ImageReference {
        switch self {
        case .whole: reference
        case .resized(let variant): reference.resized(to: variant)
        case .prefix(let byteCount): reference.prefix(byteCount)
        }
    }

    /// The reference for an opened post, whose first image is not a thumbnail where the list shows something else of it.
    func opened(_ reference: ImageReference) -> ImageReference {
        guard reference.role == .thumbnail else { return reference }
        switch self {
        case .whole: return reference
        case .resized: return reference.full
        case .prefix(let byteCount):
            let goingOn = reference.goingOn(afterPrefix: byteCount)
            // An image that is no longer than its prefix is the thumbnail itself.
            return goingOn == reference ? reference : goingOn.full
        }
    }
}
