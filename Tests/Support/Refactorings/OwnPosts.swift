// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import FeedClient
package import Foundation

// The code of the article "Your own posts".

/// A pet's photos, as an app keeps them in Firestore: one ratio for all of them, images at `owner/feed/0…n-1`.
package struct PetFeed: DocumentItem {
    package struct Fields: Decodable, Sendable {
        package let uploaderID: String
        package let feedID: String
        package let message: String
        package let like: Int
        package let uploadTimestamp: Date
        package let imageCount: Int
        /// Height by width.
        package let imageRatio: Double
    }

    package let id: String
    package let fields: Fields

    package init(_ document: FeedDocument) throws {
        id = document.id
        fields = try document.decoded(as: Fields.self)
    }

    package var images: [FeedImage] {
        (0..<fields.imageCount).map { index in
            FeedImage(index: index, pixelWidth: 1_000, pixelHeight: Int(1_000 * fields.imageRatio))
        }
    }

    package func reference(to image: FeedImage, in bucket: String) -> ImageReference {
        ImageReference(bucket: bucket, owner: fields.uploaderID, feed: fields.feedID, index: image.index)
    }
}

package func thisWeeksPets(_ repository: FeedRepository, since monday: Date) async throws -> FeedPage<PetFeed> {
    let query = FeedQuery(
        collection: "petfeeds",
        filters: [
            FeedFilter("uploadTimestamp", .greaterThanOrEqual, .timestamp(monday)),
            FeedFilter("imageCount", .greaterThan, .integer(0)),
        ],
        orders: [.descending("uploadTimestamp")]
    )
    return try await repository.page(of: PetFeed.self, query, size: 8)
}

/// A pose to be photographed in, as a server of its own lists it: one image on another host.
package struct Pose: FeedItem, Decodable {
    package let poseID: Int
    package let imageURL: URL
    package let width: Int
    package let height: Int

    package var id: String { String(poseID) }

    package var images: [FeedImage] {
        [FeedImage(index: 0, pixelWidth: width, pixelHeight: height, location: .url(imageURL))]
    }
}

package struct PoseServer: FeedSource {
    package let address: URL
    package let transport: any HTTPTransport

    package init(address: URL, transport: any HTTPTransport) {
        self.address = address
        self.transport = transport
    }

    package func page(of section: FeedSection) async throws -> FeedPage<Pose> {
        var url = address.appendingPathComponent("poses")
        let cursor = section.cursor?.token.map { [URLQueryItem(name: "after", value: $0)] } ?? []
        url.append(queryItems: [URLQueryItem(name: "size", value: "\(section.size)")] + cursor)
        let response = try await transport.send(TransportRequest(method: "GET", url: url))
        let answer = try JSONDecoder().decode(Answer.self, from: try await response.body.collected())
        return FeedPage(
            number: section.page,
            posts: answer.poses,
            cursor: answer.next.map { FeedCursor(token: $0, after: section) }
        )
    }

    private struct Answer: Decodable {
        let poses: [Pose]
        let next: String?
    }
}

package func poseScreen(_ server: PoseServer, _ pipeline: ImagePipeline, width: CGFloat) -> FeedUpdates<PoseServer> {
    FeedUpdates(source: server, pipeline: pipeline, appearance: .init(layout: WaterfallLayout(width: width)))
}
