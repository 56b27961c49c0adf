// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

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

    /// Creates a description of an image.
    public init(
        index: Int,
        pixelWidth: Int,
        pixelHeight: Int,
        byteCount: Int? = nil,
        generation: Int64? = nil,
        token: String? = nil
    ) {
        self.index = index
        self.pixelWidth = pixelWidth
        self.pixelHeight = pixelHeight
        self.byteCount = byteCount
        self.generation = generation
        self.token = token
    }
}
