// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

public import FeedClient
public import Foundation
public import Imaging

extension ImagePipeline {
    /// Loads one image for each subscriber; see ``FeedClient/ImagePipeline/image(for:priority:)``.
    public nonisolated func imagePublisher(
        for reference: ImageReference,
        priority: ImagePriority = .normal
    ) -> ColdPublisher<Data, FeedError> {
        ColdPublisher(sending: { send async throws(FeedError) in
            for await delivery in await self.images(for: [reference], priority: priority) {
                await send(try delivery.result.get())
            }
        })
    }

    /// Loads a batch of images for each subscriber and publishes each as it comes, or why it did not, then finishes.
    ///
    /// Cancelling abandons the rest. See ``FeedClient/ImagePipeline/images(for:priority:)``.
    public nonisolated func imagesPublisher(
        for references: [ImageReference],
        priority: ImagePriority = .normal
    ) -> ColdPublisher<ImageDelivery, Never> {
        ColdPublisher(values: { await self.images(for: references, priority: priority) })
    }

    /// Loads images and finds their colors for each subscriber, and publishes all posters at once; see
    /// ``FeedClient/ImagePipeline/posters(for:priority:sampling:)``.
    public nonisolated func postersPublisher(
        for references: [ImageReference],
        priority: ImagePriority = .normal,
        sampling: ColorSampling = .reducedSize
    ) -> ColdPublisher<[Poster], Never> {
        ColdPublisher(unlessCancelled: {
            try await self.posters(for: references, priority: priority, sampling: sampling)
        })
    }
}
