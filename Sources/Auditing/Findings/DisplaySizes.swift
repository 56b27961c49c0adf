// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient

/// How wide images are shown, in pixels: beyond what that needs, an image is oversized.
///
/// The bytes of a compressed photograph grow about as its pixels do, so that an image shown at half its width is taken to
/// need a quarter of its bytes; the estimate that Lighthouse makes for images of pages ("Properly size images", 2024).
/// An image counts as oversized from twice the pixels on.
package struct DisplaySizes: Sendable, Hashable, Codable {
    /// The pixels that a list's image is shown across.
    let listWidth: Int
    /// The pixels that an image of an opened post is shown across.
    package let postWidth: Int

    /// Two columns on a phone of 390 points at scale 3 (iPhone 12 to 14, 1,170 pixels; Apple, 2022).
    package static let `default` = DisplaySizes(screenWidth: 1_170, columnCount: columnCountDefault)
    /// The columns of a list by default.
    package static let columnCountDefault = 2

    /// Creates the sizes of a screen of a width in pixels, on which a list has a number of columns.
    package init(screenWidth: Int, columnCount: Int) {
        precondition(screenWidth > 0 && columnCount > 0, "nothing is shown on no screen")
        listWidth = max(1, screenWidth / columnCount)
        postWidth = screenWidth
    }

    /// The smaller copy of an image that fills the width of a list's column, up to twice as high as it is wide.
    var thumbnailVariant: ResizedVariant {
        let sideMax = Strategy.variantSides.upperBound
        return ResizedVariant(pixelWidth: min(listWidth, sideMax), pixelHeight: min(2 * listWidth, sideMax))
    }

    /// The bytes of an image that showing it takes; all of them where its width is not known.
    func neededByteCount(of byteCount: Int, pixelWidth: Int, isInList: Bool) -> Int {
        let shown = isInList ? listWidth : postWidth
        let (pixels, needed) = (Double(pixelWidth) * Double(pixelWidth), Double(shown) * Double(shown))
        guard pixels > 2 * needed else { return byteCount }
        return min(byteCount, Int((Double(byteCount) * needed / pixels).rounded(.up)))
    }
}
