// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import PhotoRendering

extension ImagesRecord {
    func validated(folder: String, posts: [FeedPost]) throws(FeedDataSetError) -> ImageSource {
        switch self {
        case .render(let record):
            return .rendered(PhotoRenderer(seed: record.seed, byteCounts: try record.byteCounts()))
        case .directory(let name):
            let path = FileSystem.join(folder, name)
            guard FileSystem.kind(of: path) == .folder else {
                throw .illValued("images.directory", expected: "a folder; there is none at \(path)")
            }
            return .directory(try ImageDirectory(path: path, posts: posts))
        }
    }
}

extension RenderRecord {
    /// Checks the numbers that describe the sizes.
    fileprivate func byteCounts() throws(FeedDataSetError) -> PhotoByteCounts {
        let limits = PhotoByteCounts.limits
        guard limits.contains(medianByteCount) else {
            throw .illValued(
                "images.render.medianBytes",
                expected: "an integer from \(limits.lowerBound) to \(limits.upperBound)"
            )
        }
        guard PhotoByteCounts.sigmas.contains(sigma) else {
            throw .illValued("images.render.sigma", expected: "a number from 0 to 2")
        }
        return PhotoByteCounts(median: medianByteCount, sigma: sigma)
    }
}
