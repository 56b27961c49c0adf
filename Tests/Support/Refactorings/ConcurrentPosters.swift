// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import FeedClient
import FeedPublishers
import Foundation
package import Imaging

#if canImport(Combine)
package import Combine
#else
package import OpenCombine
#endif

// The code of the article "Concurrent posters".

/// One after the other: each poster waits for the download and the color of the one before.
package func postersOneByOne(_ references: [ImageReference], _ pipeline: ImagePipeline) async throws -> [RGBColor] {
    var backgrounds: [RGBColor] = []
    for reference in references {
        let data = try await pipeline.image(for: reference)
        backgrounds.append(try RGBColor.dominant(ofEncoded: Array(data), sampling: .reducedSize).background)
    }
    return backgrounds
}

/// All at the same time, in order, without the images that fail, published once.
package func postersTogether(_ references: [ImageReference], _ pipeline: ImagePipeline) async throws -> [Poster] {
    try await pipeline.posters(for: references)
}

/// A place where posters are shown.
package protocol PosterScreen {
    func show(_ poster: Poster, over background: RGBColor)
    func skip(_ reference: ImageReference, because error: FeedError)
}

/// Shows every image that came, over a neutral color where it has none, and reports the others with their reasons.
package func showPosters(
    _ references: [ImageReference],
    _ pipeline: ImagePipeline,
    neutral: RGBColor,
    on screen: some PosterScreen
) async throws {
    for (reference, result) in zip(references, try await pipeline.posterResults(for: references)) {
        switch result {
        case .success(let poster): screen.show(poster, over: poster.backgroundColor ?? neutral)
        case .failure(let error): screen.skip(reference, because: error)
        }
    }
}

/// The posters for a screen that is built of publishers.
package func publishPosters(
    _ references: [ImageReference],
    _ pipeline: ImagePipeline,
    _ show: @escaping @Sendable ([Poster]) -> Void
) -> AnyCancellable {
    pipeline.postersPublisher(for: references).sink(receiveValue: show)
}
