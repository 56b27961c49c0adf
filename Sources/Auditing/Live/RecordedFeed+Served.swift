// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient
import Foundation
package import SessionLog

extension RecordedFeed {
    /// Takes the images of a log with the contents that an emulator has, which is asked for each object once.
    ///
    /// - Throws: ``AuditError`` where the objects are not there, or the emulator does not answer.
    package init(of images: [SessionImage], servedBy console: ConsoleClient) async throws {
        let storage = try await console.endpoint(of: Self.address).storage
        let transport = URLSessionTransport()
        let names = Set(images.map(Self.objectName)).sorted { ($0.bucket, $0.name) < ($1.bucket, $1.name) }
        let contents = try await names.concurrentCompactMap { name in
            let reference = ImageReference(.object(bucket: name.bucket, name: name.name))
            guard let request = reference.metadataRequest(storage: storage) else {
                return nil as (ObjectName, Content)?
            }
            let response = try await transport.send(request)
            let body = try await response.body.collected()
            guard response.status == 200 else { return nil }
            let metadata = try JSONDecoder().decode(MetadataAnswer.self, from: body)
            return metadata.content.map { (name, $0) }
        }
        let known = Dictionary(contents) { first, _ in first }
        if let missing = names.first(where: { known[$0] == nil }) {
            throw AuditError.objectsMissing(
                names.count - known.count,
                of: names.count,
                such: "\(missing.bucket)/\(missing.name)"
            )
        }
        self.init(of: images, contents: known)
    }
}

/// The generation and size in an object's metadata.
private struct MetadataAnswer: Decodable {
    let generation: String
    let size: String

    var content: RecordedFeed.Content? {
        guard let generation = Int64(generation), let byteCount = Int(size) else { return nil }
        return RecordedFeed.Content(generation: generation, byteCount: byteCount)
    }
}
