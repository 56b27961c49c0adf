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

    /// The role of an image, by which caches and guards distinguish images.
    public enum Role: String, Sendable, Hashable, CaseIterable {
        /// The image that a list shows of a post.
        case thumbnail
        /// Any other.
        case full
    }

    /// Where the image is.
    public let location: Location
    /// The role of the image.
    public private(set) var role: Role
    /// The generation, with which the image never changes; without one, the server is asked whether it has.
    public private(set) var generation: Int64?
    /// The download token.
    public let token: String?
    /// The bytes of the image, if they are known beforehand.
    public private(set) var byteCount: Int?
    /// Whether this is a smaller copy of the image whose generation it bears.
    var isCopy = false
    /// How many bytes from its beginning are asked for; `nil` for all.
    package private(set) var prefixByteCount: Int?
    /// The length of a prefix that is resumed if a cache has it.
    package private(set) var headByteCount: Int?

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

    /// The image, whose generation is not known.
    package var withoutGeneration: ImageReference {
        var reference = self
        reference.generation = nil
        return reference
    }

    /// The first bytes of the image, as many as are given; all of it where it is known to have no more.
    public func prefix(_ byteCount: Int) -> ImageReference {
        precondition(byteCount > 0, "a prefix has bytes (not \(byteCount))")
        if let whole = self.byteCount, whole <= byteCount { return self }
        var prefix = self
        prefix.prefixByteCount = byteCount
        prefix.headByteCount = nil
        prefix.byteCount = byteCount
        return prefix
    }

    /// The whole image, of which only the rest is loaded where a cache has the prefix of that many bytes.
    public func goingOn(afterPrefix byteCount: Int) -> ImageReference {
        precondition(byteCount > 0, "a prefix has bytes (not \(byteCount))")
        var reference = self
        if prefixByteCount != nil { (reference.prefixByteCount, reference.byteCount) = (nil, nil) }
        if let whole = reference.byteCount, whole <= byteCount { return self }
        reference.headByteCount = byteCount
        return reference
    }

    /// The prefix that is resumed if a cache has it; a list showed it.
    package var head: ImageReference? {
        headByteCount.map { byteCount in
            var head = prefix(byteCount)
            head.role = .thumbnail
            return head
        }
    }

    /// The image, for a screen of its own.
    var full: ImageReference {
        var full = self
        full.role = .full
        return full
    }

    /// Whether the rest of the image can be asked for after a prefix that a cache holds: one of the very length, with a strong
    /// validator.
    package func isGoneOn(afterByteCount byteCount: Int, entityTag: String) -> Bool {
        byteCount == headByteCount && !entityTag.isEmpty && !entityTag.hasPrefix("W/")
    }

    /// The image as messages name it.
    package var subject: String {
        switch location {
        case .object(_, let name): name
        case .url(let url): url.absoluteString
        }
    }

    /// The cache key: path and generation, not the token, which can change while they do not.
    ///
    /// Percent-encoded, so that nothing in a name is taken for a generation, and names that differ only in the composition
    /// of their characters, which Cloud Storage distinguishes, are not one.
    package var cacheKey: String { cacheKey(generation: generation) }

    /// The cache key of a received image: the generation that came, not the one that was asked for.
    ///
    /// A copy is made later than its original: one that is younger is taken for the one that was asked for. (A server that is
    /// still at work on the former original when it is replaced may serve its copy for a moment.)
    package func cacheKey(served generation: Int64?) -> String {
        guard let asked = self.generation, let generation else { return cacheKey }
        return cacheKey(generation: isCopy && generation > asked ? asked : generation)
    }

    /// The key for another generation than the one referred to.
    func cacheKey(generation: Int64?) -> String {
        let path =
            switch location {
            case .object(let bucket, let name): "\(bucket.percentEncoded)/\(name.percentEncodedPath)"
            case .url(let url): "url:\(url.absoluteString.percentEncodedPath)"
            }
        let whole = generation.map { "\(path)#\($0)" } ?? path
        return prefixByteCount.map { "\(whole)##\($0)" } ?? whole
    }
}
