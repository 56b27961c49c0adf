// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import SeededRandom

/// A soft round patch of another color and texture: a cloud, a bush, a patch of light.
struct PhotoBlob {
    let x: Int
    let y: Int
    let radius: Int
    let color: PhotoColor
    let textureGain: Int

    /// Somewhere in a picture, brighter or darker by up to `contrast`.
    static func draw(in size: PhotoSize, contrast: Int, textureGain: Int, using generator: inout SplitMix64) -> Self {
        let shortSide = min(size.width, size.height)
        let light = generator.integer(in: -contrast...contrast)
        return Self(
            x: generator.integer(in: 0...size.width),
            y: generator.integer(in: 0...size.height),
            radius: generator.integer(in: (shortSide / 12)...(shortSide / 3)),
            color: PhotoColor(light, light, light).shifted(by: contrast / 6, using: &generator),
            textureGain: generator.integer(in: -textureGain...textureGain)
        )
    }

    /// 256 at the centre, falling smoothly to 0 at the radius: (1 - d^2/r^2)^2.
    func weight(x: Int, y: Int) -> Int {
        let square = (x - self.x) * (x - self.x) + (y - self.y) * (y - self.y)
        guard square < radius * radius else { return 0 }
        let fall = 256 - square * 256 / (radius * radius)
        return fall * fall / 256
    }
}
