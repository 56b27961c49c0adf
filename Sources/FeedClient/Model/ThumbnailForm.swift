// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

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
