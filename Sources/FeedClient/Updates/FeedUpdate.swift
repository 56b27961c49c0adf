// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A step of a screen's coming into being.
public enum FeedUpdate<Item: FeedItem>: Sendable {
    /// Where every cell is; always the first, before any image was asked for.
    case laidOut(FeedLayout<Item>)
    /// An image came, in whatever order.
    case image(FeedCellID, Data, ImageOrigin)
    /// An image did not come; the cell keeps its place.
    case failed(FeedCellID, FeedError)
}

/// A screen without its pixels.
public struct FeedLayout<Item: FeedItem>: Sendable {
    /// A section's cells.
    public struct Section: Sendable {
        /// The section.
        public let section: FeedSection
        /// Where the heading is, above the cells.
        public let headingFrame: CGRect
        /// The cells, in the order of the posts.
        public let cells: [FeedCell<Item>]
        /// The documents of the page that have no cell.
        public let skipped: [SkippedDocument]
        /// The section at its next page; `nil` after the last.
        public let next: FeedSection?
    }

    /// The sections from the top.
    public let sections: [Section]
    /// The height of the whole, in the unit of the width.
    public let height: CGFloat

    /// All cells, from the top section to the last.
    public var cells: [FeedCell<Item>] { sections.flatMap(\.cells) }
}

/// The identity of a cell: the section's place among the sections, and the post's id, as a post may be in several sections.
public struct FeedCellID: Sendable, Hashable {
    /// The section's place, from 0.
    public let section: Int
    /// The id of the post.
    public let post: String
}

/// A post's place on the screen.
public struct FeedCell<Item: FeedItem>: Sendable, Identifiable {
    /// The identity of the cell.
    public let id: FeedCellID
    /// The post.
    public let post: Item
    /// The whole cell.
    public let frame: CGRect
    /// The thumbnail, at the top of the cell.
    public let imageFrame: CGRect
}

extension FeedCell: Equatable where Item: Equatable {}
extension FeedCell: Hashable where Item: Hashable {}
extension FeedLayout.Section: Equatable where Item: Equatable {}
extension FeedLayout.Section: Hashable where Item: Hashable {}
extension FeedLayout: Equatable where Item: Equatable {}
extension FeedLayout: Hashable where Item: Hashable {}
