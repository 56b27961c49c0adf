// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The five layouts of a post's thumbnails in one cell.
public enum ThumbnailCount: Int, Sendable, Hashable, CaseIterable {
    /// One, over the whole cell.
    case one = 1
    /// Two side by side.
    case two
    /// A tall one, and two on top of each other.
    case three
    /// Two rows of two.
    case four
    /// Two above three.
    case five

    /// The layout for a post with a number of images, of which five at most are shown; `nil` for none.
    public init?(imageCount: Int) {
        guard imageCount > 0 else { return nil }
        self = Self(rawValue: min(imageCount, 5)) ?? .five
    }

    /// The layout nearest to a number of images: that of one for none, of five for more than five.
    public init(clamping imageCount: Int) { self = Self(imageCount: imageCount) ?? .one }

    /// The thumbnails' frames in a cell of width and height 1, in the order of the images.
    public var normalizedFrames: [CGRect] {
        switch self {
        case .one: Self.row(1, top: 0, height: 1)
        case .two: Self.row(2, top: 0, height: 1)
        case .three:
            [
                CGRect(x: 0, y: 0, width: 0.5, height: 1), CGRect(x: 0.5, y: 0, width: 0.5, height: 0.5),
                CGRect(x: 0.5, y: 0.5, width: 0.5, height: 0.5),
            ]
        case .four: Self.row(2, top: 0, height: 0.5) + Self.row(2, top: 0.5, height: 0.5)
        case .five: Self.row(2, top: 0, height: 0.5) + Self.row(3, top: 0.5, height: 0.5)
        }
    }

    /// The thumbnails' frames in a cell of this size, separated by `spacing`.
    public func frames(in size: CGSize, spacing: CGFloat = 0) -> [CGRect] {
        normalizedFrames.map { frame in
            func edges(_ low: CGFloat, high: CGFloat, side: CGFloat) -> (CGFloat, CGFloat) {
                let inset = spacing / 2
                return (low * side + (low > 0 ? inset : 0), high * side - (high < 1 ? inset : 0))
            }
            let (left, right) = edges(frame.minX, high: frame.maxX, side: size.width)
            let (top, bottom) = edges(frame.minY, high: frame.maxY, side: size.height)
            return CGRect(x: left, y: top, width: max(0, right - left), height: max(0, bottom - top))
        }
    }

    private static func row(_ count: Int, top: CGFloat, height: CGFloat) -> [CGRect] {
        (0..<count).map { position in
            let left = CGFloat(position) / CGFloat(count)
            // From edge to edge, so that neighbours meet exactly and the last ends at 1.
            return CGRect(x: left, y: top, width: CGFloat(position + 1) / CGFloat(count) - left, height: height)
        }
    }
}
