// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import SeededRandom

/// The four colors between which a scene's gradients run.
struct PhotoPalette: Hashable {
    let zenith: PhotoColor
    let horizon: PhotoColor
    let distance: PhotoColor
    let ground: PhotoColor

    private static let all: [Self] = [
        // Noon, dawn, overcast, dusk.
        Self(.init(58, 116, 196), .init(182, 212, 236), .init(104, 132, 128), .init(72, 96, 44)),
        Self(.init(98, 108, 168), .init(250, 196, 150), .init(122, 100, 112), .init(82, 66, 52)),
        Self(.init(150, 158, 166), .init(212, 214, 212), .init(128, 136, 132), .init(86, 92, 70)),
        Self(.init(34, 40, 92), .init(226, 118, 84), .init(74, 58, 88), .init(38, 34, 44)),
        // Beach, desert, snow, room.
        Self(.init(64, 148, 206), .init(206, 232, 238), .init(72, 150, 160), .init(212, 186, 142)),
        Self(.init(88, 140, 198), .init(232, 214, 184), .init(186, 130, 90), .init(196, 150, 98)),
        Self(.init(112, 152, 204), .init(232, 238, 244), .init(160, 176, 196), .init(226, 230, 236)),
        Self(.init(216, 204, 184), .init(190, 172, 148), .init(132, 92, 64), .init(92, 60, 42)),
    ]

    private init(_ zenith: PhotoColor, _ horizon: PhotoColor, _ distance: PhotoColor, _ ground: PhotoColor) {
        self.zenith = zenith
        self.horizon = horizon
        self.distance = distance
        self.ground = ground
    }

    /// One of the palettes with every color moved a little.
    static func draw(using generator: inout SplitMix64) -> Self {
        let base = all[generator.integer(in: 0...(all.count - 1))]
        return Self(
            base.zenith.shifted(by: 20, using: &generator),
            base.horizon.shifted(by: 20, using: &generator),
            base.distance.shifted(by: 24, using: &generator),
            base.ground.shifted(by: 24, using: &generator)
        )
    }
}

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
