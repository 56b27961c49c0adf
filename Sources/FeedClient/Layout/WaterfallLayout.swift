// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Cells of different heights in columns of one width: each goes to the column that is shortest so far.
///
/// A pure function of sizes: it can be computed, and tested, before any pixel is there.
public struct WaterfallLayout: Sendable, Hashable {
    /// The width of the whole.
    public var width: CGFloat
    /// The number of columns.
    public var columnCount: Int
    /// The space between columns and between cells.
    public var spacing: CGFloat

    /// Creates a layout of two columns by default.
    public init(width: CGFloat, columnCount: Int = 2, spacing: CGFloat = 8) {
        precondition(columnCount > 0, "a layout has columns (not \(columnCount))")
        self.width = width
        self.columnCount = columnCount
        self.spacing = spacing
    }

    /// The width of a column.
    public var columnWidth: CGFloat {
        max(0, (width - spacing * CGFloat(columnCount - 1)) / CGFloat(columnCount))
    }

    /// The frames of cells of these heights, in order, below `top`; of equally short columns the leftmost is taken.
    public func frames(heights: [CGFloat], below top: CGFloat = 0) -> [CGRect] {
        var bottoms = [CGFloat](repeating: top, count: columnCount)
        return heights.map { height in
            let column = bottoms.indices.min { (bottoms[$0], $0) < (bottoms[$1], $1) } ?? 0
            let left = CGFloat(column) * (columnWidth + spacing)
            let frame = CGRect(x: left, y: bottoms[column], width: columnWidth, height: height)
            bottoms[column] += height + spacing
            return frame
        }
    }
}

/// How high an image is shown at a given width: as its pixels say, within bounds.
public struct AspectRule: Sendable, Hashable {
    /// The least and the greatest height at width 1.
    public var heights: ClosedRange<CGFloat>

    /// Creates a rule; very long images are cut by default at three times their width.
    public init(heights: ClosedRange<CGFloat> = 0.25...3) { self.heights = heights }

    /// The height in the width's unit; that of a square for an image without a size.
    public func height(width: CGFloat, pixelWidth: Int, pixelHeight: Int) -> CGFloat {
        guard pixelWidth > 0, pixelHeight > 0 else { return width }
        let ratio = CGFloat(pixelHeight) / CGFloat(pixelWidth)
        return width * min(max(ratio, heights.lowerBound), heights.upperBound)
    }
}
