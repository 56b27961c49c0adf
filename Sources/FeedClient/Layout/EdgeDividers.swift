// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The edges at which a cell has a divider: those beyond which there is another cell.
///
/// So the last row has none below it, the trailing column none beside it, and a divider is never drawn twice.
public struct EdgeDividers: OptionSet, Sendable, Hashable {
    /// Beside the cell, before the next column.
    public static let trailing = Self(rawValue: 1)
    /// Below the cell, before the next row.
    public static let bottom = Self(rawValue: 2)

    /// The edges as bits.
    public let rawValue: UInt8

    /// Creates a set of edges from their bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The dividers of a cell in a grid of equal cells that is filled row by row, whose last row may not be full.
    ///
    /// The cell's index is from 0.
    public init(index: Int, count: Int, columnCount: Int) {
        precondition(columnCount > 0, "a grid has columns (not \(columnCount))")
        precondition((0..<count).contains(index), "a grid of \(count) cells has none at \(index)")
        self = []
        if (index + 1) % columnCount != 0, index + 1 < count { insert(.trailing) }
        if index + columnCount < count { insert(.bottom) }
    }

    /// The dividers of cells in columns, such as those that a ``WaterfallLayout`` places, in the order of their frames.
    ///
    /// A cell has a divider below it unless it is the last of its column, and one beside it if a column to its right
    /// reaches below the cell's top.
    public static func between(_ frames: [CGRect]) -> [EdgeDividers] {
        let columns = Dictionary(grouping: frames, by: \.minX)
        let lastTops = columns.mapValues { $0.map(\.minY).max() ?? 0 }
        var bottomsBeside: [CGFloat: CGFloat] = [:]
        var bottom = -CGFloat.infinity
        for (left, column) in columns.sorted(by: { $0.key > $1.key }) {
            bottomsBeside[left] = bottom
            bottom = column.map(\.maxY).reduce(bottom, max)
        }
        return frames.map { frame in
            var dividers: EdgeDividers = []
            if frame.minY < lastTops[frame.minX] ?? frame.minY { dividers.insert(.bottom) }
            if frame.minY < bottomsBeside[frame.minX] ?? -.infinity { dividers.insert(.trailing) }
            return dividers
        }
    }

    /// The dividers' lines around a cell, of this thickness, in the middle of the space to the next cells.
    public func lines(around frame: CGRect, spacing: CGFloat, thickness: CGFloat) -> [CGRect] {
        let offset = (spacing - thickness) / 2
        var lines: [CGRect] = []
        if contains(.trailing) {
            lines.append(CGRect(x: frame.maxX + offset, y: frame.minY, width: thickness, height: frame.height))
        }
        if contains(.bottom) {
            lines.append(CGRect(x: frame.minX, y: frame.maxY + offset, width: frame.width, height: thickness))
        }
        return lines
    }
}

/// A cell that draws dividers at its edges.
public protocol EdgeDividing: AnyObject {
    /// The edges at which there is a divider now.
    var dividers: EdgeDividers { get set }
}
