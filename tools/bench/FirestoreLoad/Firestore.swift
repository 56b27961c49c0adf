// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The database that is under load, and its requests as bytes.
struct Firestore {
    static let service = "/google.firestore.v1.Firestore/"

    let database: String
    let collection: String
    /// The credentials that server SDKs send with every call.
    let headers: [(name: String, value: String)]

    init(project: String, databaseID: String, collection: String) {
        database = "projects/\(project)/databases/\(databaseID)"
        self.collection = collection
        headers = [
            ("te", "trailers"),
            ("content-type", "application/grpc"),
            ("user-agent", "firemeter-load/1"),
            ("grpc-accept-encoding", "identity"),
            ("authorization", "Bearer owner"),
            ("google-cloud-resource-prefix", database),
            ("x-goog-request-params", "project_id=\(project)&database_id=\(databaseID)"),
            ("x-goog-api-client", "gl-swift/6 gccl/1 grpc/1"),
        ]
    }

    var root: String { database + "/documents" }

    func name(_ post: SamplePost) -> String { "\(root)/\(collection)/\(post.id)" }

    func commit(_ posts: [SamplePost], transaction: [UInt8] = []) -> [UInt8] {
        .protobuf { request in
            request.string(1, database)
            for post in posts {
                request.message(2) { write in
                    write.message(1) { document in
                        document.string(1, name(post))
                        post.writeFields(to: &document)
                    }
                }
            }
            if !transaction.isEmpty { request.data(3, transaction) }
        }
    }

    func get(_ post: SamplePost) -> [UInt8] {
        .protobuf { $0.string(1, name(post)) }
    }

    func batchGet(_ post: SamplePost, transaction: [UInt8] = []) -> [UInt8] {
        .protobuf { request in
            request.string(1, database)
            request.string(2, name(post))
            if !transaction.isEmpty { request.data(4, transaction) }
        }
    }

    func beginTransaction() -> [UInt8] {
        .protobuf { request in
            request.string(1, database)
            request.message(2) { options in options.message(3) { _ in } }
        }
    }
}
