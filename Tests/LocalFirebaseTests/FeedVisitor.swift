// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import FeedClient
import FeedDataSet
import Foundation
import LocalFirebase
import SessionLog
import Testing
import TinyFeed

/// Reads a served feed as an app does, over HTTP.
struct FeedVisitor {
    let endpoint: FeedEndpoint
    let transport = URLSessionTransport()

    init(_ addresses: EmulatorAddresses) throws {
        endpoint = FeedEndpoint(
            firestore: try #require(URL(string: "http://\(addresses.firestore)")),
            storage: try #require(URL(string: "http://\(addresses.storage)")),
            project: TinyFeed.address.project,
            bucket: TinyFeed.address.bucket
        )
    }

    func posts(_ sort: FeedSort = .popular) async throws -> [FeedClient.FeedPost] {
        let repository = FeedRepository(endpoint: endpoint, transport: transport)
        return try await repository.page(sort: sort, number: 0, size: 10).posts
    }

    func image(_ image: FeedImage, of post: FeedClient.FeedPost) async throws -> Data {
        let pipeline = try ImagePipeline(storage: endpoint.storage, transport: transport)
        return try await pipeline.image(for: post.reference(to: image, in: endpoint.bucket))
    }

    /// The generation that Cloud Storage itself reports.
    func generation(of image: FeedImage, of post: FeedClient.FeedPost) async throws -> Int64? {
        let name = "\(post.ownerID)%2F\(post.feedID)%2F\(image.index)"
        let url = URL(string: "\(endpoint.storage)/v0/b/\(endpoint.bucket)/o/\(name)")
        let response = try await transport.send(TransportRequest(method: "GET", url: try #require(url)))
        struct Object: Decodable { let generation: String }
        return Int64(try JSONDecoder().decode(Object.self, from: await response.body.collected()).generation)
    }

    /// Holds every image of every document against its object and against the data set.
    func expectTruth(of dataSet: FeedDataSet) async throws {
        let posts = try await posts()
        #expect(posts.map(\.id) == ["p1", "p2", "p3"])
        for (post, seed) in zip(posts, dataSet.posts) {
            #expect(post.title == seed.title)
            #expect(post.images.count == seed.imageCount)
            for image in post.images {
                let original = try dataSet.image(of: seed, at: image.index)
                #expect(image.pixelWidth == original.pixelWidth)
                #expect(image.pixelHeight == original.pixelHeight)
                #expect(image.byteCount == original.bytes.count)
                #expect(try await self.image(image, of: post) == Data(original.bytes))
                #expect(try await generation(of: image, of: post) == image.generation)
            }
        }
    }
}
