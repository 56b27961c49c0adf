// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Names one image for the pipeline: where it is, and the generation and token its post's document gave.
public struct ImageReference: Sendable, Hashable {
    /// Where an image is.
    public enum Location: Sendable, Hashable {
        /// An object of Cloud Storage for Firebase.
        case object(bucket: String, name: String)
        /// Any address, such as that of another host.
        case url(URL)
    }

    /// What an image is for, by which caches and guards tell images apart.
    public enum Role: String, Sendable, Hashable, CaseIterable {
        /// The image that a list shows of a post.
        case thumbnail
        /// Any other.
        case full
    }

    /// Where the image is.
    public let location: Location
    /// What the image is for.
    public let role: Role
    /// The generation, with which the image never changes; without one, the server is asked whether it has.
    public let generation: Int64?
    /// The download token.
    public let token: String?
    /// The bytes of the image, if they are known beforehand.
    public let byteCount: Int?
    /// Whether this is a smaller copy of the image whose generation it bears.
    var isCopy = false

    /// Creates a reference to an image of a post: the object `owner/feed/index`, of which index 0 is the thumbnail.
    public init(
        bucket: String,
        owner: String,
        feed: String,
        index: Int,
        generation: Int64? = nil,
        token: String? = nil,
        byteCount: Int? = nil
    ) {
        self.init(
            .object(bucket: bucket, name: "\(owner)/\(feed)/\(index)"),
            role: index == 0 ? .thumbnail : .full,
            generation: generation,
            token: token,
            byteCount: byteCount
        )
    }

    /// Creates a reference to any image.
    public init(
        _ location: Location,
        role: Role = .full,
        generation: Int64? = nil,
        token: String? = nil,
        byteCount: Int? = nil
    ) {
        self.location = location
        self.role = role
        self.generation = generation
        self.token = token
        self.byteCount = byteCount
    }

    /// The same image, whose generation nobody has told.
    package var withoutGeneration: ImageReference {
        var reference = ImageReference(location, role: role, generation: nil, token: token, byteCount: byteCount)
        reference.isCopy = isCopy
        return reference
    }

    /// The image as messages name it.
    package var subject: String {
        switch location {
        case .object(_, let name): name
        case .url(let url): url.absoluteString
        }
    }

    /// What the caches file the image under: path and generation, not the token, which can change while they do not.
    ///
    /// Percent-encoded, so that nothing in a name is taken for a generation, and names that differ only in the composition
    /// of their characters, which Cloud Storage tells apart, are not one.
    package var cacheKey: String { cacheKey(generation: generation) }

    /// What the caches file an image under that came: the generation that came, not the one that was asked for.
    ///
    /// A copy is made later than its original; one that is younger is the one that was asked for.
    package func cacheKey(served generation: Int64?) -> String {
        guard let asked = self.generation, let generation else { return cacheKey }
        return cacheKey(generation: isCopy && generation > asked ? asked : generation)
    }

    /// The same for another generation than the one referred to.
    func cacheKey(generation: Int64?) -> String {
        let path =
            switch location {
            case .object(let bucket, let name): "\(bucket.percentEncoded)/\(name.percentEncodedPath)"
            case .url(let url): "url:\(url.absoluteString.percentEncodedPath)"
            }
        guard let generation else { return path }
        return "\(path)#\(generation)"
    }
}
