// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// How cells are made of posts.
public struct FeedAppearance: Sendable, Hashable {
    /// The columns.
    public var layout: WaterfallLayout
    /// The height of a thumbnail.
    public var aspect: AspectRule
    /// The content of a cell below its thumbnail.
    public var captionHeight: CGFloat
    /// The heading of each section.
    public var headingHeight: CGFloat
    /// The part of a thumbnail that is loaded.
    public var thumbnails: ThumbnailForm

    /// Creates an appearance.
    public init(
        layout: WaterfallLayout,
        aspect: AspectRule = AspectRule(),
        captionHeight: CGFloat = 0,
        headingHeight: CGFloat = 0,
        thumbnails: ThumbnailForm = .whole
    ) {
        self.layout = layout
        self.aspect = aspect
        self.captionHeight = captionHeight
        self.headingHeight = headingHeight
        self.thumbnails = thumbnails
    }
}
