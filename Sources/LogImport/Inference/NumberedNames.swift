// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering

/// Which objects are images of one post, by their names alone: those that a small number distinguishes, as
/// `users/u1/posts/p1/photo_0.jpg` and `photo_1.jpg`.
struct NumberedNames {
    /// An object's post and its number there.
    struct Place: Sendable, Hashable {
        let post: String
        let number: Int
    }

    /// A post of more images is a folder of numbered files.
    private static let imageCountMax = 30
    /// The last segments of names that are images, in lower case.
    private static let extensions: Set<String> = [
        "jpg", "jpeg", "png", "gif", "webp", "heic", "heif", "avif", "bmp", "tif", "tiff", "svg",
    ]

    /// The places, by the objects' indices; `nil` for a resized copy, which belongs to no post.
    let places: [Place?]
    /// The forms of the names that posts were found by, the most frequent first.
    let forms: [String]

    init(_ names: [String]) {
        let found = names.map(Self.place)
        var numbers: [String: Set<Int>] = [:]
        for case let place? in found { numbers[place.post, default: []].insert(place.number) }
        let posts = numbers.filter { Self.arePlaces($0.value) }
        places = zip(names, found).map { name, place in
            guard ImageVariant(objectName: name) != .resized else { return nil }
            guard let place, posts[place.post] != nil else { return Place(post: name, number: 0) }
            return place
        }
        var counts: [String: Int] = [:]
        for (post, numbers) in posts where numbers.count > 1 { counts[Self.form(of: post), default: 0] += 1 }
        forms = counts.keys.sorted { (counts[$1] ?? 0, $0) < (counts[$0] ?? 0, $1) }
    }

    /// Whether an object of a server of all kinds of files is an image, by its name.
    static func isImage(_ name: String) -> Bool {
        guard let dot = name.lastIndex(of: ".") else { return FeedImagePath(objectName: name) != nil }
        return extensions.contains(name[name.index(after: dot)...].lowercased())
    }

    /// The post is the name with its last number left out; `owner/feed/n` is `owner/feed`.
    private static func place(_ name: String) -> Place? {
        if let path = FeedImagePath(objectName: name) {
            return Place(post: "\(path.owner)/\(path.feed)", number: path.index)
        }
        guard let parts = NumberedName(name) else { return nil }
        return Place(post: "\(parts.prefix){n}\(parts.suffix)", number: parts.number)
    }

    /// Whether numbers are those of a post's images: few, small, and one after the other.
    private static func arePlaces(_ numbers: Set<Int>) -> Bool {
        guard let least = numbers.min(), let most = numbers.max() else { return false }
        let areSmall = least <= 1 && most < NumberedName.placeEnd
        return areSmall && numbers.count <= imageCountMax && most - least < 2 * numbers.count
    }

    /// The name of a post with its ids left out: `users/…/posts/…/photo_{n}.jpg`.
    private static func form(of post: String) -> String {
        let segments = post.split(separator: "/", omittingEmptySubsequences: false)
        guard post.contains("{n}") else { return "owner/feed/n" }
        return segments.enumerated().map { index, segment in
            segment.contains("{n}") || segment.allSatisfy(\.isLetter) && index.isMultiple(of: 2) ? String(segment) : "…"
        }.joined(separator: "/")
    }
}
