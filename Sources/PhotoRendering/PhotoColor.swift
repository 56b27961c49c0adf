// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import SeededRandom

/// A color in whole steps of 0 to 255 a channel, or the difference of two.
struct PhotoColor: Hashable {
    var red: Int
    var green: Int
    var blue: Int

    init(_ red: Int, _ green: Int, _ blue: Int) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    var channels: [Int] { [red, green, blue] }

    /// Goes `weight / 256` of the way to another color.
    func mixed(with other: Self, weight: Int) -> Self {
        Self(
            red + (other.red - red) * weight / 256,
            green + (other.green - green) * weight / 256,
            blue + (other.blue - blue) * weight / 256
        )
    }

    /// Moves each channel by up to `range`.
    func shifted(by range: Int, using generator: inout SplitMix64) -> Self {
        Self(
            red + generator.integer(in: -range...range),
            green + generator.integer(in: -range...range),
            blue + generator.integer(in: -range...range)
        )
    }
}
