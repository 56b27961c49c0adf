// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// The target and the caller of a request; every breakdown of usage groups by one of these fields.
public struct UsageAttribution: Sendable, Hashable, Codable {
    /// The operation of a download, as opposed to that of an object's metadata.
    static let downloadOperation = "storage.objects.get"

    /// The service that answered.
    public var service: Service
    /// The operation in the field's own terms, such as `storage.objects.get` or `firestore.runQuery`.
    public var operation: String
    /// The bucket of an object operation.
    public var bucket: String?
    /// The object's name, decoded.
    public var object: String?
    /// The feed image that the object's name denotes, when it has the form `owner/feed/n`.
    public var image: FeedImagePath?
    /// The project and database of a document operation, as `project/database`.
    public var database: String?
    /// The collection, or collection group, of a document operation, without document ids.
    public var collection: String?
    /// The query with its values stripped, such as `posts order by likes desc limit`.
    public var queryShape: String?
    /// The client SDK and version as it names itself.
    public var client: String?
    /// The user id carried by the request's token.
    public var user: String?
    /// The caller's tag, from `X-Firemeter-Tag`: the name of a test, or of a screen.
    public var tag: String?

    /// Creates an attribution for an operation.
    public init(service: Service, operation: String) {
        self.service = service
        self.operation = operation
    }

    /// Which form of an image the object is, by its name.
    public var variant: ImageVariant? { object.flatMap { ImageVariant(objectName: $0) } }

    /// The services that are metered.
    public enum Service: String, Sendable, Hashable, Codable, CaseIterable {
        /// Cloud Storage for Firebase.
        case storage
        /// Cloud Firestore.
        case firestore
        /// Firebase Authentication.
        case auth
    }
}
