// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

public import Foundation
import JSON
import SessionLog

/// Uploads the user's own images, and puts them into the caches under the names they will be asked for by.
public struct ImageUploader: Sendable {
    private let storage: URL
    private let transport: any HTTPTransport
    private let pipeline: ImagePipeline?
    private let credentials: CredentialStore?

    /// Creates an uploader.
    ///
    /// `storage` is the address of Cloud Storage for Firebase without a path, `pipeline` the one whose caches are to have
    /// the images; `credentials` gives the tokens of a user who may upload.
    public init(
        storage: URL,
        transport: any HTTPTransport,
        pipeline: ImagePipeline?,
        credentials: (any FirebaseCredentialProvider)? = nil
    ) {
        self.storage = storage
        self.transport = transport
        self.pipeline = pipeline
        self.credentials = credentials.map(CredentialStore.init)
    }

    /// Uploads an image to the object `owner/feed/index`; returns the reference with its generation and token.
    ///
    /// A client that gets the reference, or the document that it is written to, loads the image from the caches. Throws
    /// ``FeedError``, or `CancellationError` when the task is cancelled.
    public func upload(
        _ data: Data,
        contentType: String,
        bucket: String,
        owner: String,
        feed: String,
        index: Int
    ) async throws -> ImageReference {
        let name = "\(owner)/\(feed)/\(index)"
        let path = "/v0/b/\(bucket.percentEncoded)/o?uploadType=media&name=\(name.percentEncoded)"
        let request = TransportRequest(
            method: "POST",
            url: storage.appending(encoded: path),
            headers: ["Content-Type": contentType],
            body: data
        )
        let answer = try await transport.body(
            of: request,
            subject: name,
            ledger: pipeline?.ledger,
            openedBy: credentials,
            scheme: .firebase
        )
        let metadata = try? JSONValue(parsing: Array(answer))
        guard let generation = metadata?["generation"]?.string.flatMap({ Int64($0) }) else {
            throw FeedError.responseUnreadable(name, problem: "the answer to the upload tells no generation")
        }
        let reference = ImageReference(
            bucket: bucket,
            owner: owner,
            feed: feed,
            index: index,
            generation: generation,
            token: metadata?["downloadTokens"]?.string?.split(separator: ",").first.map(String.init),
            byteCount: data.count
        )
        await pipeline?.store(data, for: reference)
        return reference
    }
}
