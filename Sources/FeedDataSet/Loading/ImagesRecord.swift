// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Basics
import PhotoRendering

/// Where a feed.json says that its images come from.
enum ImagesRecord: Decodable {
    case render(RenderRecord)
    case directory(String)

    private enum CodingKeys: String, CodingKey {
        case render, directory
    }

    init(from decoder: any Decoder) throws {
        let object = try decoder.object(CodingKeys.self)
        switch (object.contains(.render), object.contains(.directory)) {
        case (true, false): self = .render(try object.value(.render, expected: "an object"))
        case (false, true): self = .directory(try object.value(.directory, expected: "a string"))
        default: throw FeedDataSetError.illTyped("images", expected: "either \"render\" or \"directory\"")
        }
    }
}

/// How a feed.json wants its images rendered; only the seed is required.
struct RenderRecord: Decodable {
    let seed: UInt64
    let medianByteCount: Int
    let sigma: Double

    private enum CodingKeys: String, CodingKey {
        case seed
        case medianByteCount = "medianBytes"
        case sigma
    }

    init(from decoder: any Decoder) throws {
        let usual = PhotoByteCounts()
        let object = try decoder.object(CodingKeys.self)
        seed = try object.value(.seed, expected: "an integer from 0")
        medianByteCount = try object.value(.medianByteCount, expected: "an integer", default: usual.median)
        sigma = try object.value(.sigma, expected: "a number", default: usual.sigma)
    }
}

extension ImagesRecord {
    func validated(folder: String, posts: [FeedPost]) throws(FeedDataSetError) -> ImageSource {
        switch self {
        case .render(let record):
            return .rendered(PhotoRenderer(seed: record.seed, byteCounts: try record.byteCounts()))
        case .directory(let name):
            let path = FeedFiles.join(folder, name: name)
            guard FeedFiles.kind(of: path) == .directory else {
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
