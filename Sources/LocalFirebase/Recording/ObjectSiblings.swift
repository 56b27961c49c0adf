// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

import Metering
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
    /// Numbers from here on are ids or times, not places in a post.
    private static let numberEnd = 100

    private let store: SQLiteObjectStore

    init(of store: SQLiteObjectStore) { self.store = store }

    /// The family of an object; `nil` where the last segment of its name has no small number.
    static func family(of metadata: ObjectMetadata) -> Family? {
        guard let name = NumberedName(metadata.path.name.description), name.number < numberEnd else { return nil }
        return Family(bucket: metadata.path.bucket, prefix: name.prefix, suffix: name.suffix)
    }

    /// The live objects of a family; none where the store cannot be read any more.
    func members(of family: Family) -> [ObjectMetadata] {
        let query = ObjectListQuery(prefix: family.prefix, delimiter: "/", maxResults: Self.countMax)
        let listing = try? store.list(family.bucket, matching: query)
        return listing?.items.filter { Self.family(of: $0) == family } ?? []
    }
}
