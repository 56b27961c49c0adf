// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import Imaging

/// An image with the colors that its screen takes from it.
public struct Poster: Sendable, Hashable {
    /// The image.
    public let reference: ImageReference
    /// The encoded image.
    public let data: Data
    /// The color that most of the image has.
    public let dominantColor: RGBColor
    /// The color behind the image: the dominant one's hue, saturation 0.08, brightness 0.95.
    public var backgroundColor: RGBColor { dominantColor.background }
}

extension ImagePipeline {
    /// Loads images and finds their colors, all at the same time and off the caller's thread.
    ///
    /// The posters are in the references' order, without those whose image failed or cannot be decoded, and come all at once.
    /// Throws `CancellationError` when the task is cancelled, and nothing else.
    public nonisolated func posters(
        for references: [ImageReference],
        priority: ImagePriority = .normal,
        sampling: ColorSampling = .reducedSize
    ) async throws -> [Poster] {
        try await references.concurrentCompactMap { reference in
            let data = try await self.image(for: reference, priority: priority)
            let color = try RGBColor.dominant(ofEncoded: Array(data), sampling: sampling)
            return Poster(reference: reference, data: data, dominantColor: color)
        }
    }
}
