// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import ObjectStore

/// Finds the other images of a post: the objects whose names differ from one's in its last small number, as
/// `u1/p1/photo_0.jpg` and `photo_1.jpg`.
///
/// An app that loads the first alone has its log say how large the others are: so what loading all would have cost is known.
struct ObjectSiblings: Sendable {
    /// The form of a name, without its number.
    struct Family: Hashable, Sendable {
        let bucket: BucketName
        let prefix: String
        let suffix: String
    }

    /// The most objects that are looked at for one.
    private static let countMax = 30
    /// Longer numbers are ids or times, not places in a post.
    private static let digitCountMax = 2

    private let store: SQLiteObjectStore

    init(of store: SQLiteObjectStore) { self.store = store }

    /// The family of an object; `nil` where the last segment of its name has no small number.
    static func family(of metadata: ObjectMetadata) -> Family? {
        let name = metadata.path.name.description
        let fileStart = name.lastIndex(of: "/").map(name.index(after:)) ?? name.startIndex
        let isDigit = { (character: Character) in character.isASCII && character.isNumber }
        guard let last = name[fileStart...].lastIndex(where: isDigit) else { return nil }
        let start = name[fileStart...last].lastIndex { !isDigit($0) }.map(name.index(after:)) ?? fileStart
        guard name.distance(from: start, to: last) < digitCountMax else { return nil }
        return Family(
            bucket: metadata.path.bucket,
            prefix: String(name[..<start]),
            suffix: String(name[name.index(after: last)...])
        )
    }

    /// The live objects of a family; none where the store cannot be read any more.
    func members(of family: Family) -> [ObjectMetadata] {
        let query = ObjectListQuery(prefix: family.prefix, delimiter: "/", maxResults: Self.countMax)
        let listing = try? store.list(family.bucket, matching: query)
        return listing?.items.filter { Self.family(of: $0) == family } ?? []
    }
}
