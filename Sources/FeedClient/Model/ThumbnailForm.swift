// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// What a list loads of image 0 of a post.
public enum ThumbnailForm: Sendable, Hashable {
    /// The image itself.
    case whole
    /// The smaller copy that its server keeps beside it.
    case resized(ResizedVariant)
    /// Its first bytes, which show all of a progressive image, though coarsely; the rest comes when the post is opened.
    case prefix(byteCount: Int)

    /// The reference for a list, of the one that a post's document gives.
    func listed(_ reference: ImageReference) -> ImageReference {
        switch self {
        case .whole: reference
        case .resized(let variant): reference.resized(to: variant)
        case .prefix(let byteCount): reference.prefix(byteCount)
        }
    }

    /// The reference for an opened post.
    func opened(_ reference: ImageReference) -> ImageReference {
        guard case .prefix(let byteCount) = self, reference.role == .thumbnail else { return reference }
        return reference.goingOn(afterPrefix: byteCount)
    }
}
