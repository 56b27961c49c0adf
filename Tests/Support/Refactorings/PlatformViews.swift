// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import FeedClient
package import Foundation

// Stand-ins for a platform's views, so that an article's cells can be compiled and measured everywhere.

/// A thumbnail in a cell.
package final class ThumbnailView {
    package var frame: CGRect
    package var reference: ImageReference?

    init(frame: CGRect = .zero) { self.frame = frame }
}

/// A cell of a list.
package class Cell {
    let size: CGSize
    package internal(set) var thumbnails: [ThumbnailView] = []

    package init(size: CGSize) { self.size = size }

    /// Shows the images in their order; thumbnails that have none are cleared.
    func show(_ references: [ImageReference]) {
        for (index, thumbnail) in thumbnails.enumerated() {
            thumbnail.reference = index < references.count ? references[index] : nil
        }
    }
}
