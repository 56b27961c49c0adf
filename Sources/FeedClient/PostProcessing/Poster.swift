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
    /// The color that most of the image has, or why it could not be found: the image came, but cannot be decoded.
    public let dominantColor: Result<RGBColor, ImagingError>
    /// The color behind the image: the dominant one's hue, saturation 0.08, brightness 0.95; `nil` without a dominant color.
    public var backgroundColor: RGBColor? { try? dominantColor.get().background }
}

extension ImagePipeline {
    /// Loads images and finds their colors, all at the same time and off the caller's thread.
    ///
    /// The posters are in the references' order, without those whose image failed, and come all at once. Throws
    /// `CancellationError` when the task is cancelled, and nothing else.
    public nonisolated func posters(
        for references: [ImageReference],
        priority: ImagePriority = .normal,
        sampling: ColorSampling = .reducedSize
    ) async throws -> [Poster] {
        try await posterResults(for: references, priority: priority, sampling: sampling).compactMap { try? $0.get() }
    }

    /// Loads images and finds their colors as ``posters(for:priority:sampling:)`` does; an image that failed has its reason.
    ///
    /// There is one result for each reference, in the same order. Throws `CancellationError` when the task is cancelled,
    /// and nothing else.
    public nonisolated func posterResults(
        for references: [ImageReference],
        priority: ImagePriority = .normal,
        sampling: ColorSampling = .reducedSize
    ) async throws -> [Result<Poster, FeedError>] {
        try await references.concurrentCompactMap { reference in
            // There is one delivery, and none when the task is cancelled.
            for await delivery in await self.images(for: [reference], priority: priority) {
                return delivery.result.map { Poster(reference, $0, sampling: sampling) }
            }
            return nil
        }
    }
}

extension Poster {
    fileprivate init(_ reference: ImageReference, _ data: Data, sampling: ColorSampling) {
        self.reference = reference
        self.data = data
        dominantColor = Result { () throws(ImagingError) in
            try RGBColor.dominant(ofEncoded: Array(data), sampling: sampling)
        }
    }
}
