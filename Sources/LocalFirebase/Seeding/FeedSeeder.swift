// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import DocumentStore
import FeedDataSet
import FirestoreModel
import ObjectStore
import Wire

/// Loads a feed data set into the stores: each post's images first, then the document that describes them.
///
/// A data set counts as loaded only when all of it is: a run that is broken off is made good by the next.
struct FeedSeeder: Sendable {
    let dataSet: FeedDataSet
    let rooms: EmulatorRooms
    let makeToken: @Sendable () -> String
    let onProgress: @Sendable (SeedProgress) -> Void

    /// Loads the data set, over what is there, unless an earlier run has loaded it.
    func seed() async throws -> SeedOutcome {
        let directory = rooms.directory.path
        if let mark = SeedMark.read(in: directory), mark == SeedMark(dataSet, loaded: mark.loaded) {
            return .alreadySeeded(mark.loaded)
        }
        try await verify()
        try SeedMark.remove(in: directory)
        let loaded = try await load()
        try SeedMark(dataSet, loaded: loaded).write(in: directory)
        return .seeded(loaded)
    }

    /// Finds what is wrong with the data set while nothing is stored yet.
    private func verify() async throws {
        guard BucketName(dataSet.bucket) != nil else { throw SeedFailure.badBucket(dataSet.bucket) }
        for post in dataSet.posts {
            try Task.checkCancellation()
            try await blockingWork { [dataSet] in try dataSet.verifyImages(of: post) }
        }
    }

    private func load() async throws -> SeedCounts {
        var progress = SeedProgress(imageCountTotal: dataSet.posts.reduce(0) { $0 + $1.imageCount })
        var stored: [StoredImage] = []
        try await ImagePreparation(dataSet: dataSet).deliver { post, index, image in
            stored.append(try await blockingWork { try store(image, at: "\(post.owner)/\(post.id)/\(index)") })
            guard stored.count == post.imageCount else { return }
            try await blockingWork { [stored] in try write(post, images: stored) }
            progress.loaded.add(stored)
            stored = []
            onProgress(progress)
        }
        return progress.loaded
    }

    private func store(_ image: SeedImage, at name: String) throws -> StoredImage {
        guard let path = ObjectPath(bucket: dataSet.bucket, name: name) else { throw SeedFailure.badObject(name) }
        let upload = try rooms.objects.beginUpload()
        try image.bytes.withUnsafeBytes { try upload.append($0) }
        let attributes = ObjectAttributes(contentType: image.contentType, downloadTokens: [makeToken()])
        let metadata = try upload.commit(to: path, attributes: attributes)
        return StoredImage(metadata: metadata, pixelWidth: image.pixelWidth, pixelHeight: image.pixelHeight)
    }

    private func write(_ post: FeedPost, images: [StoredImage]) throws {
        let path = try DocumentPath([dataSet.collection, post.documentID])
        let database = DatabaseID(project: dataSet.project, database: dataSet.database)
        _ = try rooms.documents.commit([.set(path, fields: post.fields(images: images))], in: database)
    }
}
