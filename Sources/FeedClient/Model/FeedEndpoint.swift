// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Where a feed lives: the two services, and the names of the collection and the bucket.
public struct FeedEndpoint: Sendable, Hashable {
    /// The address of Firestore without a path, such as `http://127.0.0.1:8080`.
    public var firestore: URL
    /// The address of Cloud Storage for Firebase without a path, such as `http://127.0.0.1:9199`.
    public var storage: URL
    /// The project's id.
    public var project: String
    /// The database's id.
    public var database: String
    /// The collection that holds the posts.
    public var collection: String
    /// The bucket that holds the images.
    public var bucket: String

    /// Creates an endpoint.
    public init(
        firestore: URL,
        storage: URL,
        project: String,
        database: String = "(default)",
        collection: String = "posts",
        bucket: String
    ) {
        self.firestore = firestore
        self.storage = storage
        self.project = project
        self.database = database
        self.collection = collection
        self.bucket = bucket
    }

    /// The endpoint of a project in production.
    ///
    /// firebase.google.com/docs/firestore/use-rest-api and firebase.google.com/docs/storage, 2026-11.
    public static func production(
        project: String,
        database: String = "(default)",
        collection: String = "posts",
        bucket: String
    ) -> FeedEndpoint {
        FeedEndpoint(
            firestore: production("firestore.googleapis.com"),
            storage: production("firebasestorage.googleapis.com"),
            project: project,
            database: database,
            collection: collection,
            bucket: bucket
        )
    }

    private static func production(_ host: String) -> URL {
        guard let url = URL(string: "https://\(host)") else { preconditionFailure("\(host) is a host's name") }
        return url
    }
}
