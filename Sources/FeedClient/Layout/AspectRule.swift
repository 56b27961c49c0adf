// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

public import Foundation

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
