// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

/// Names one image for the pipeline: the object, and the generation and token its post's document gave.
public struct ImageReference: Sendable, Hashable {
    /// The bucket.
    public let bucket: String
    /// The first segment of the object's name.
    public let owner: String
    /// The second segment of the object's name.
    public let feed: String
    /// The last segment of the object's name.
    public let index: Int
    /// The generation; without one the caches cannot tell that an object was replaced under its name.
    public let generation: Int64?
    /// The download token.
    public let token: String?

    /// Creates a reference.
    public init(
        bucket: String,
        owner: String,
        feed: String,
        index: Int,
        generation: Int64? = nil,
        token: String? = nil
    ) {
        self.bucket = bucket
        self.owner = owner
        self.feed = feed
        self.index = index
        self.generation = generation
        self.token = token
    }

    /// The name of the object, `owner/feed/index`.
    public var objectName: String { "\(owner)/\(feed)/\(index)" }

    /// What the caches file the image under: path and generation, not the token, which can change while they do not.
    package var cacheKey: String {
        let path = "\(bucket)/\(objectName)"
        guard let generation else { return path }
        return "\(path)#\(generation)"
    }
}
