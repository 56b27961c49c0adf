// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

package import FeedClient
package import Foundation

// The code of the article "Thumbnails and caches"; DocumentationTests holds the two against each other.

/// The feed as the origin's app loaded it: every image of every post, and nothing kept.
package struct EveryImageFeed {
    let repository: FeedRepository
    let storage: URL
    let transport: any HTTPTransport

    package init(repository: FeedRepository, storage: URL, transport: any HTTPTransport) {
        self.repository = repository
        self.storage = storage
        self.transport = transport
    }

    package func open() async throws -> [Data] {
        let page = try await repository.page(sort: .popular, number: 0, size: 8)
        var images: [Data] = []
        for post in page.posts {
            for image in post.images {
                images.append(try await download(post, image))
            }
        }
        return images
    }

    private func download(_ post: FeedPost, _ image: FeedImage) async throws -> Data {
        let name = "\(post.ownerID)%2F\(post.feedID)%2F\(image.index)"
        let path = "v0/b/\(repository.endpoint.bucket)/o/\(name)?alt=media"
        let url = URL(string: "\(storage.absoluteString)/\(path)") ?? storage
        return try await transport.send(TransportRequest(method: "GET", url: url)).body.collected()
    }
}

/// The feed with thumbnails in the list, the rest on opening a post, and caches.
package struct ThumbnailFeed {
    let repository: FeedRepository
    let pipeline: ImagePipeline

    package init(endpoint: FeedEndpoint, cachesDirectory: URL, transport: any HTTPTransport) throws {
        repository = FeedRepository(endpoint: endpoint, transport: transport)
        pipeline = try ImagePipeline(
            storage: endpoint.storage,
            transport: transport,
            configuration: .init(
                memory: .init(byteCountMax: 16 << 20, fullByteCountMax: 48 << 20),
                disk: .init(directory: cachesDirectory, byteCountMax: 256 << 20)
            )
        )
    }

    package func open(_ show: (FeedPost, Data) -> Void) async throws {
        let page = try await repository.page(sort: .popular, number: 0, size: 8)
        let posts = page.posts.filter { !$0.images.isEmpty }
        let thumbnails = posts.flatMap { $0.references(to: .thumbnail, in: repository.endpoint.bucket) }
        for await delivery in await pipeline.images(for: thumbnails) {
            if let data = try? delivery.result.get() { show(posts[delivery.index], data) }
        }
    }

    package func open(_ post: FeedPost, _ show: (Data) -> Void) async {
        let rest = post.references(to: .rest, in: repository.endpoint.bucket)
        for await delivery in await pipeline.images(for: rest, priority: .high) {
            if let data = try? delivery.result.get() { show(data) }
        }
    }
}

/// The feed with thumbnails that are smaller copies, or the first bytes of progressive images.
package struct LightFeed {
    package static let copies = ThumbnailForm.resized(ResizedVariant(pixelWidth: 600, pixelHeight: 1_200))
    package static let prefixes = ThumbnailForm.prefix(byteCount: 64 << 10)

    let bucket: String
    let pipeline: ImagePipeline
    let form: ThumbnailForm

    package init(bucket: String, pipeline: ImagePipeline, form: ThumbnailForm) {
        self.bucket = bucket
        self.pipeline = pipeline
        self.form = form
    }

    package func list(_ posts: [FeedPost]) async -> [Data] {
        let thumbnails = posts.flatMap { $0.references(to: .thumbnail, in: bucket, thumbnails: form) }
        return await images(thumbnails)
    }

    package func open(_ post: FeedPost) async -> [Data] {
        let opened = post.references(to: .full, in: bucket, thumbnails: form)
        return await images(opened)
    }

    private func images(_ references: [ImageReference]) async -> [Data] {
        var images: [Data] = []
        for await delivery in await pipeline.images(for: references) {
            if let data = try? delivery.result.get() { images.append(data) }
        }
        return images
    }
}
