// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient
import Foundation
import Imaging

// The code of the article "Concurrent posters".

/// One after the other: each poster waits for the download and the colour of the one before.
func postersOneByOne(_ references: [ImageReference], _ pipeline: ImagePipeline) async throws -> [RGBColour] {
    var backgrounds: [RGBColour] = []
    for reference in references {
        let data = try await pipeline.image(for: reference)
        backgrounds.append(try RGBColour.dominant(ofEncoded: Array(data)).background)
    }
    return backgrounds
}

/// All at the same time, in order, without those that fail, published once.
func postersTogether(_ references: [ImageReference], _ pipeline: ImagePipeline) async throws -> [Poster] {
    try await pipeline.posters(for: references)
}
