// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import ObjectStore
import SeededRandom
import Wire

/// An object of which only the size matters.
package struct PlaceholderObject: Sendable, Hashable {
    /// The bucket.
    package let bucket: String
    /// The object's name.
    package let name: String
    /// The bytes.
    package let byteCount: Int64

    /// Describes an object.
    package init(bucket: String, name: String, byteCount: Int64) {
        (self.bucket, self.name, self.byteCount) = (bucket, name, byteCount)
    }
}

/// Stores objects of given sizes, whose bytes mean nothing and cannot be compressed.
struct PlaceholderSeeder: Sendable {
    private static let blockByteCount = 1 << 16

    let placeholders: [PlaceholderObject]
    let rooms: EmulatorRooms
    let makeToken: @Sendable () -> String

    func seed() async throws {
        let block = Self.block()
        for placeholder in placeholders {
            try Task.checkCancellation()
            try await blockingWork { try store(placeholder, of: block) }
        }
    }

    private func store(_ placeholder: PlaceholderObject, of block: [UInt8]) throws {
        guard BucketName(placeholder.bucket) != nil else { throw SeedFailure.badBucket(placeholder.bucket) }
        guard let path = ObjectPath(bucket: placeholder.bucket, name: placeholder.name) else {
            throw SeedFailure.badObject(placeholder.name)
        }
        let upload = try rooms.objects.beginUpload()
        try block.withUnsafeBytes { bytes in
            var rest = placeholder.byteCount
            while rest > 0 {
                let count = min(Int64(bytes.count), rest)
                try upload.append(UnsafeRawBufferPointer(rebasing: bytes[..<Int(count)]))
                rest -= count
            }
        }
        let attributes = ObjectAttributes(contentType: "application/octet-stream", downloadTokens: [makeToken()])
        _ = try upload.commit(to: path, attributes: attributes)
    }

    private static func block() -> [UInt8] {
        var random = SplitMix64(seed: 1)
        return (0..<blockByteCount).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    }
}
