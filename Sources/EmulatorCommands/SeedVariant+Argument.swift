// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import FeedDataSet

extension SeedVariant: ExpressibleByArgument {
    /// Reads the greatest sides, `200x200`.
    public init?(argument: String) {
        let sides = argument.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
        guard sides.count == 2, sides.allSatisfy(SeedVariant.sides.contains) else { return nil }
        self.init(pixelWidth: sides[0], pixelHeight: sides[1])
    }
}
