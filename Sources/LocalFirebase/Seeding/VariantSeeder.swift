// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedDataSet
import ObjectStore
import Wire

/// Keeps smaller copies of the thumbnails of a data set that is loaded.
///
/// Copies that are there, and no older than what they were made from, stay as they are. They are made when all images are
/// loaded, whose generations and tokens are the same with and without them.
struct VariantSeeder: Sendable {
    let dataSet: FeedDataSet
    let variants: [SeedVariant]
    /// Whether an image that cannot be decoded is an error.
    let isRequired: Bool
    let rooms: EmulatorRooms
    let makeToken: @Sendable () -> String

    func seed() async throws {
        for post in dataSet.posts {
            for variant in variants {
                try Task.checkCancellation()
                try await blockingWork { try keep(variant, of: "\(post.owner)/\(post.id)/0") }
            }
        }
    }

    private func keep(_ variant: SeedVariant, of original: String) throws {
        guard let path = ObjectPath(bucket: dataSet.bucket, name: original),
            let copy = ObjectPath(bucket: dataSet.bucket, name: variant.name(of: original))
        else { throw SeedFailure.badObject(variant.name(of: original)) }
        // The user of a kept data directory may have deleted it since.
        guard let reader = try rooms.objects.open(path) else { return }
        if let known = try rooms.objects.metadata(at: copy), known.generation > reader.metadata.generation { return }
        let bytes = try reader.bytes()
        let image: SeedImage
        do {
            image = try variant.image(of: bytes)
        } catch {
            guard isRequired else { return }
            throw SeedFailure.cannotResize(original, error)
        }
        let upload = try rooms.objects.beginUpload()
        try image.bytes.withUnsafeBytes { try upload.append($0) }
        var attributes = ObjectAttributes(contentType: image.contentType, downloadTokens: [makeToken()])
        attributes.cacheControl = reader.metadata.attributes.cacheControl
        _ = try upload.commit(to: copy, attributes: attributes)
    }
}

extension ObjectReader {
    /// The whole object.
    fileprivate func bytes() throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: Int(metadata.byteCount))
        try bytes.withUnsafeMutableBytes { buffer in
            var offset = 0
            while offset < buffer.count {
                let count = try read(
                    at: Int64(offset),
                    into: UnsafeMutableRawBufferPointer(rebasing: buffer[offset...])
                )
                guard count > 0 else { throw SeedFailure.objectCutShort(metadata.path.name.description) }
                offset += count
            }
        }
        return bytes
    }
}
